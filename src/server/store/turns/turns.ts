import { type Selectable, sql } from 'kysely'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import type { Turn } from '../../../contract/chat/sessions.ts'
import type { TurnStatus } from '../../../contract/chat/turn-status.ts'
import { type Access, openByIdAfter, selectSessions, unrestricted, updateSessions } from '../visitors/access.ts'
import { type Database, countOf, isEmbedded } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { type ReservationsFor, reserveBudgets, serializeReservations } from './budgets.ts'
import { type Accepted, commitTurn, RejectedTransaction } from './commit-turn.ts'
import { attachFiles } from '../sessions/files.ts'
import type { RepeatedClaim, IdempotencyClaim } from './idempotency.ts'
import { insertMessage, rowOfMessage } from '../sessions/messages.ts'
import { recordAcceptedPrompt } from '../visitors/accepted-notices.ts'
import type { CountStored } from './quotas.ts'
import {
  findMessagePosition,
  findPromptOf,
  findRunningTurn,
  listLastAnswers,
  nextPosition,
  type PlacedMessage,
  setLeaf,
} from '../sessions/branches.ts'
import { NO_STOPS, selectStopsVersion } from '../staff/stops.ts'
import { insertVisitor, type NewVisitor, lockExistingVisitor } from '../visitors/visitors.ts'

export interface NewTurn {
  id: string
  instance: string
  now: number
  claim: IdempotencyClaim | null
  /** Required reservations. If one fails, nothing is stored. */
  reservationsFor: ReservationsFor
  /** Limit of the owner's running turns, including this one. */
  maxOfOwner?: number | undefined
  /** Counts the prompt. Over a limit, nothing is stored. */
  count: CountStored
}

export interface NewPrompt extends NewTurn {
  message: ChatMessage
  files?: readonly string[]
  /**
   * The session to continue, if accessible and of the given agent, if any; otherwise `newSession` is created.
   * With `edits`, the prompt becomes a new version of that prompt, and no session is created.
   */
  continues: { id: string; agent?: string | null; access: Access; edits?: string | undefined } | null
  newSession: { id: string; owner: string; agent: string; title: string; openById: boolean; temporary?: boolean }
  newVisitor: NewVisitor | null
  /** The notice that the visitor has accepted, if it lets staff read. */
  acceptedNotice?: { version: string; arrivedAt: number } | null
}

export interface StoredTurn extends Turn {
  promptId: string
}

/**
 * Commits a prompt, its turn and its idempotency key, and the session and the visitor if they are new, in one transaction.
 * Once it returns `accepted`, the prompt survives a crash and a power loss.
 */
export async function insertPrompt(database: Database, prompt: NewPrompt): Promise<Accepted | RepeatedClaim | Rejection> {
  return commitTurn(database, prompt, async (transaction) => {
    const continued = prompt.continues && (await touchSession(transaction, prompt.continues, prompt.now))
    if (!continued && prompt.continues?.edits) throw new RejectedTransaction('not_found')
    const session = continued ?? (await insertSession(transaction, prompt))
    const place = continued ? await placeOfPrompt(transaction, continued, prompt.continues?.edits) : FIRST_PLACE
    await insertMessage(transaction, rowOfMessage(prompt.message, { session: session.id, ...place }, prompt.now))
    if (continued && prompt.continues) await setLeaf(transaction, prompt.continues, place.position)
    await recordAcceptance(transaction, prompt, { ...session, position: place.position })
    if (!(await attachFiles(transaction, prompt.newSession.owner, session.id, prompt.files ?? [])))
      throw new RejectedTransaction('file_unknown')
    const version = await insertTurn(transaction, prompt, session, prompt.message.id)
    return { kind: 'accepted', ...described(session), promptId: prompt.message.id, isNewSession: !continued, stopsVersion: version }
  })
}

/** Not for a chat that its id opened to somebody else, who accepts nothing for its visitor. */
async function recordAcceptance(transaction: Database, prompt: NewPrompt, { id, owner, position }: TouchedSession & { position: number }) {
  const { acceptedNotice, newSession, now } = prompt
  if (!acceptedNotice || newSession.temporary || owner !== newSession.owner) return
  await recordAcceptedPrompt(transaction, { owner, session: id, position, ...acceptedNotice, now })
}

/** Answers the prompt of message `messageId`, or the last one, again, as another version; later messages stay on their branches. */
export async function insertRegeneration(
  database: Database,
  session: { id: string; access: Access },
  messageId: string | undefined,
  turn: NewTurn,
): Promise<Accepted | RepeatedClaim | Rejection> {
  return commitTurn(database, turn, async (transaction) => {
    const touched = await touchSession(transaction, session, turn.now)
    const message = touched && (await findMessagePosition(transaction, session.id, messageId ?? touched.leaf))
    const prompt = message && (await findPromptOf(transaction, session.id, message))
    if (!touched || !prompt) throw new RejectedTransaction('not_found')
    await rejectWhileRunning(transaction, session.id)
    await setLeaf(transaction, session, prompt.position)
    return insertAnotherAnswer(transaction, { session: touched, promptId: prompt.id }, turn)
  })
}

/** Retries the prompt of turn `turnId` and deletes its answer. Only for a session's last turn, if it was not completed. */
export async function insertRetry(
  database: Database,
  access: Access,
  turnId: string,
  turn: NewTurn,
): Promise<Accepted | RepeatedClaim | Rejection> {
  return commitTurn(database, turn, async (transaction) => {
    const last = await repeatableTurn(transaction, access, turnId, turn.now)
    await deleteAnswers(transaction, access, last, last.answers)
    return insertAnotherAnswer(transaction, last, turn)
  })
}

/**
 * Starts a turn that continues the incomplete answer of turn `turnId`, which stays.
 * Conditions as for `insertRetry`. `continues` is false if the answer has no text: then it is deleted and the prompt answered again.
 */
export async function insertContinuation(
  database: Database,
  access: Access,
  turnId: string,
  turn: NewTurn,
): Promise<(Accepted & { continues: boolean }) | RepeatedClaim | Rejection> {
  return commitTurn(database, turn, async (transaction) => {
    const last = await repeatableTurn(transaction, access, turnId, turn.now)
    // Empty answers are deleted when continued, so only the last can be empty.
    const empty = last.answers.filter(({ message }) => textOf(message).trim() === '')
    await deleteAnswers(transaction, access, last, empty)
    return { ...(await insertAnotherAnswer(transaction, last, turn)), continues: empty.length < last.answers.length }
  })
}

/** A turn; undefined if it is missing, expired or not the caller's. */
export async function findTurn(database: Database, access: Access, id: string): Promise<StoredTurn | undefined> {
  const row = await selectSessions(database, access)
    .innerJoin('turns', 'turns.session_id', 'sessions.id')
    .select(['turns.id', 'turns.session_id', 'turns.status', 'turns.code', 'turns.prompt_id'])
    .where('turns.id', '=', id)
    .executeTakeFirst()
  return row && { id: row.id, session: row.session_id, status: row.status, code: row.code, promptId: row.prompt_id }
}

/** Records activity. On PostgreSQL it also locks the session's row, which serializes its prompts. */
async function touchSession(database: Database, session: { id: string; agent?: string | null; access: Access }, now: number) {
  const { agent } = session
  return updateSessions(database, session.access)
    .set({ updated_at: now, open_by_id: openByIdAfter(session.access) })
    .where('id', '=', session.id)
    .where('temporary', '=', 0)
    .$if(agent != null, (query) => query.where('agent', '=', agent as string))
    .returning(['id', 'owner', 'agent', 'leaf'])
    .executeTakeFirst()
}

async function insertSession(database: Database, prompt: NewPrompt): Promise<TouchedSession> {
  if (prompt.newVisitor) await insertVisitor(database, prompt.newVisitor, prompt.now)
  // The visitor was deleted concurrently.
  else if (!(await lockExistingVisitor(database, prompt.newSession.owner))) throw new RejectedTransaction('unauthorized')
  const { openById, temporary = false, ...session } = prompt.newSession
  const leaf = FIRST_PLACE.position
  const flags = { open_by_id: openById ? 1 : 0, temporary: temporary ? 1 : 0 } as const
  await unrestricted(database)
    .insertInto('sessions')
    .values({ ...session, ...flags, leaf, created_at: prompt.now, updated_at: prompt.now })
    .execute()
  return { ...session, leaf }
}

/** Resolves with the version of the stops. */
async function insertTurn(database: Database, turn: NewTurn, session: TouchedSession, promptId: string): Promise<string> {
  const { id, instance, now, maxOfOwner } = turn
  if (maxOfOwner && (await hasRunning(database, session.owner, maxOfOwner))) throw new RejectedTransaction('too_many_turns')
  // Late, because on PostgreSQL others of the same network wait from here to COMMIT.
  const over = await turn.count(database)
  if (over) throw new RejectedTransaction(over)
  const reservations = turn.reservationsFor(session.agent)
  const exceeded = await reserveBudgets(database, reservations)
  if (exceeded) throw new RejectedTransaction(rejection(exceeded.code, { retryAfterS: exceeded.retryAfterS }))
  const inserted = await database
    .insertInto('turns')
    .values({
      id,
      instance,
      session_id: session.id,
      prompt_id: promptId,
      status: 'running',
      code: null,
      started_at: now,
      ended_at: null,
      reservations: serializeReservations(database, reservations),
    })
    // In the same statement, because every prompt waits for each.
    .returning(() => selectStopsVersion(database).as('version'))
    .executeTakeFirst()
  return inserted?.version ?? NO_STOPS
}

async function rejectWhileRunning(database: Database, sessionId: string): Promise<void> {
  const turnId = await findRunningTurn(database, sessionId)
  if (turnId) throw new RejectedTransaction(rejection('session_busy', { turn: turnId }))
}

const FIRST_PLACE = { position: 1, parent: 0 }

/** Throws a `RejectedTransaction` while a turn runs or if the prompt to edit doesn't exist. */
async function placeOfPrompt(transaction: Database, session: TouchedSession, edits: string | undefined) {
  await rejectWhileRunning(transaction, session.id)
  const position = await nextPosition(transaction, session.id)
  if (edits === undefined) return { position, parent: session.leaf }
  const edited = await findMessagePosition(transaction, session.id, edits)
  if (edited?.role !== 'user') throw new RejectedTransaction('not_found')
  return { position, parent: edited.parent }
}

type TouchedSession = Pick<Selectable<Schema['sessions']>, 'id' | 'owner' | 'agent' | 'leaf'>

/** The last turn with its session and the answers to its prompt. The session is locked. */
interface LastTurn {
  session: TouchedSession
  status: TurnStatus
  code: ErrorCode | null
  isLast: boolean
  promptId: string
  answers: PlacedMessage[]
}

/** Throws a `RejectedTransaction` unless it is the last turn and incomplete. */
async function repeatableTurn(transaction: Database, access: Access, turnId: string, now: number): Promise<LastTurn> {
  const turn = await lastTurn(transaction, access, turnId, now)
  if ((turn.status === 'done' && !turn.code) || !turn.isLast) throw new RejectedTransaction('not_retryable')
  return turn
}

/** Throws a `RejectedTransaction` if there is none or another turn is running. */
export async function lastTurn(transaction: Database, access: Access, turnId: string, now: number): Promise<LastTurn> {
  const found = await findTurn(transaction, access, turnId)
  const session = found && (await touchSession(transaction, { id: found.session, access }, now))
  // Once more, since its end may have been stored before the session was locked.
  const turn = session && (await findTurn(transaction, access, turnId))
  if (!turn) throw new RejectedTransaction('not_found')
  await rejectWhileRunning(transaction, session.id)
  const answers = await listLastAnswers(transaction, session.id, session.leaf)
  const isLast = answers.at(-1)?.message.metadata?.turnId === turn.id
  return { session, promptId: turn.promptId, status: turn.status, code: turn.code, isLast, answers }
}

/** Starts a turn that answers the same prompt again. Call it in the transaction that checked access. */
export async function insertAnotherAnswer(
  transaction: Database,
  { session, promptId }: Pick<LastTurn, 'session' | 'promptId'>,
  turn: NewTurn,
): Promise<Accepted> {
  const version = await insertTurn(transaction, turn, session, promptId)
  return { kind: 'accepted', ...described(session), promptId, isNewSession: false, stopsVersion: version }
}

function described({ id, owner, agent }: TouchedSession) {
  return { sessionId: id, owner, agent }
}

async function deleteAnswers(transaction: Database, access: Access, { session }: LastTurn, answers: PlacedMessage[]): Promise<void> {
  const [first] = answers
  if (!first) return
  const positions = answers.map(({ position }) => position)
  await transaction.deleteFrom('messages').where('session_id', '=', session.id).where('position', 'in', positions).execute()
  await setLeaf(transaction, { id: session.id, access }, first.parent)
}

/**
 * Whether an owner has reached the limit of running turns over all processes. Until the transaction ends, no other turn can start for
 * them. On SQLite, with its single process, the process counts them itself.
 */
export async function hasRunning(transaction: Database, owner: string, max: number): Promise<boolean> {
  if (isEmbedded(transaction)) return false
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(transaction)
  const running = unrestricted(transaction)
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    // Matches the partial index of running turns.
    .where('turns.status', '=', sql.lit('running'))
    .where('sessions.owner', '=', owner)
  return (await countOf(running)) >= max
}
