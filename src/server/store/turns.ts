import type { Insertable } from 'kysely'
import type { ErrorCode } from '../../contract/errors.ts'
import { type ChatMessage, textOf } from '../../contract/message.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Turn, TurnStatus } from '../../contract/sessions.ts'
import { type Access, openByIdAfter, selectSessions, unrestricted, updateSessions } from './access.ts'
import type { Database } from './database.ts'
import { type ReservationsFor, reserveBudgets, serializeReservations } from './budgets.ts'
import { attachFiles } from './files.ts'
import { claimKey, type RepeatedClaim, type IdempotencyClaim } from './idempotency.ts'
import { insertMessage, rowOfMessage } from './messages.ts'
import { prepared } from './prepared.ts'
import type { CountStored } from './quotas.ts'
import { hasRunning } from './running-turns.ts'
import type { Schema } from './schema.ts'
import {
  findMessagePosition,
  findPromptOf,
  findRunningTurn,
  listLastAnswers,
  nextPosition,
  type PlacedMessage,
  setLeaf,
} from './branches.ts'
import { insertVisitor, type NewVisitor, keepVisitor } from './visitors.ts'

export interface NewTurn {
  id: string
  /** The process that runs it. */
  instance: string
  now: number
  /** What makes its request safe to repeat, if it is to be. */
  claim: IdempotencyClaim | null
  /** What is set aside for it; without room for all of it nothing is stored. */
  reservationsFor: ReservationsFor
  /** So many turns an owner may have running, this one among them. */
  maxOfOwner?: number | undefined
  /** Counts it; over a limit nothing is stored. */
  count: CountStored
}

export interface NewPrompt extends NewTurn {
  message: ChatMessage
  /** Files of the owner that wait for it. */
  files?: readonly string[]
  /**
   * The session to go on with, if the caller may, and it is that agent's where one is named; otherwise `newSession` is made.
   * With `edits`, a prompt of that session, the message becomes another version of it; then nothing is made without that.
   */
  continues: { id: string; agent?: string | null; access: Access; edits?: string | undefined } | null
  newSession: { id: string; owner: string; agent: string; title: string; openById: boolean; temporary?: boolean }
  /** Stored with the prompt when it is this visitor's first. */
  newVisitor: NewVisitor | null
}

export type Accepted = { kind: 'accepted'; sessionId: string; owner: string; agent: string; promptId: string; isNewSession: boolean }

export interface StoredTurn extends Turn {
  promptId: string
}

/**
 * Commits a prompt, its turn and its idempotency key, and the session and the visitor if they are new, in one transaction.
 * When it returns `accepted`, the prompt survives a crash of the process and a loss of power.
 */
export async function insertPrompt(database: Database, prompt: NewPrompt): Promise<Accepted | RepeatedClaim | Rejection> {
  return runRejectable(database, async (transaction) => {
    const earlier = prompt.claim && (await claimKey(transaction, prompt.claim, prompt.id, prompt.now))
    if (earlier) return earlier
    const continued = prompt.continues && (await touchSession(transaction, prompt.continues, prompt.now))
    if (!continued && prompt.continues?.edits) throw new RejectedTransaction('not_found')
    const session = continued ?? (await insertSession(transaction, prompt))
    const place = continued ? await placeOfPrompt(transaction, continued, prompt.continues?.edits) : FIRST_PLACE
    await insertMessage(transaction, rowOfMessage(prompt.message, { session: session.id, ...place }, prompt.now))
    if (continued && prompt.continues) await setLeaf(transaction, prompt.continues, place.position)
    if (!(await attachFiles(transaction, prompt.newSession.owner, session.id, prompt.files ?? [])))
      throw new RejectedTransaction('file_unknown')
    await insertTurn(transaction, prompt, session, prompt.message.id)
    return { kind: 'accepted', ...described(session), promptId: prompt.message.id, isNewSession: !continued }
  })
}

/**
 * Starts a new turn for the prompt that message `messageId`, or without one the last, answers or is. Its answer will be another version of the earlier ones;
 * what was said after those stays on their branches.
 */
export async function insertRegeneration(
  database: Database,
  session: { id: string; access: Access },
  messageId: string | undefined,
  turn: NewTurn,
): Promise<Accepted | RepeatedClaim | Rejection> {
  return runRejectable(database, async (transaction) => {
    const earlier = turn.claim && (await claimKey(transaction, turn.claim, turn.id, turn.now))
    if (earlier) return earlier
    const touched = await touchSession(transaction, session, turn.now)
    const message = touched && (await findMessagePosition(transaction, session.id, messageId ?? touched.leaf))
    const prompt = message && (await findPromptOf(transaction, session.id, message))
    if (!touched || !prompt) throw new RejectedTransaction('not_found')
    await rejectWhileRunning(transaction, session.id)
    await setLeaf(transaction, session, prompt.position)
    return answerAgain(transaction, { session: touched, promptId: prompt.id }, turn)
  })
}

/**
 * Starts a new turn for the prompt of turn `turnId`, and removes the answer that it had.
 * Only for the last turn of its session, and only when it did not end as done.
 */
export async function insertRetry(
  database: Database,
  access: Access,
  turnId: string,
  turn: NewTurn,
): Promise<Accepted | RepeatedClaim | Rejection> {
  return runRejectable(database, async (transaction) => {
    const earlier = turn.claim && (await claimKey(transaction, turn.claim, turn.id, turn.now))
    if (earlier) return earlier
    const last = await repeatableTurn(transaction, access, turnId, turn.now)
    await deleteAnswers(transaction, access, last, last.answers)
    return answerAgain(transaction, last, turn)
  })
}

/**
 * Starts a new turn that goes on with the answer that turn `turnId` left unfinished; that answer stays, and the new one follows it.
 * Under the conditions of `insertRetry`. `continues` is false when the answer says nothing: then it is removed, and the prompt answered anew.
 */
export async function insertContinuation(
  database: Database,
  access: Access,
  turnId: string,
  turn: NewTurn,
): Promise<(Accepted & { continues: boolean }) | RepeatedClaim | Rejection> {
  return runRejectable(database, async (transaction) => {
    const earlier = turn.claim && (await claimKey(transaction, turn.claim, turn.id, turn.now))
    if (earlier) return earlier
    const last = await repeatableTurn(transaction, access, turnId, turn.now)
    // One that said something is never after one that did not: that was removed when it was gone on with.
    const empty = last.answers.filter(({ message }) => textOf(message).trim() === '')
    await deleteAnswers(transaction, access, last, empty)
    return { ...(await answerAgain(transaction, last, turn)), continues: empty.length < last.answers.length }
  })
}

export async function findTurn(database: Database, access: Access, id: string): Promise<StoredTurn | undefined> {
  const row = await selectSessions(database, access)
    .innerJoin('turns', 'turns.session_id', 'sessions.id')
    .select(['turns.id', 'turns.session_id', 'turns.status', 'turns.code', 'turns.prompt_id'])
    .where('turns.id', '=', id)
    .executeTakeFirst()
  return row && { id: row.id, session: row.session_id, status: row.status, code: row.code, promptId: row.prompt_id }
}

/** Rolls a transaction back; `runRejectable` returns its rejection. */
export class RejectedTransaction extends Error {
  readonly rejection: Rejection

  constructor(reason: ErrorCode | Rejection) {
    const rejected = typeof reason === 'string' ? rejection(reason) : reason
    super(rejected.code)
    this.rejection = rejected
  }
}

/** Runs a transaction. A thrown `RejectedTransaction` rolls it back and becomes the result. */
export async function runRejectable<T>(database: Database, run: (transaction: Database) => Promise<T>): Promise<T | Rejection> {
  try {
    return await database.transaction().execute(run)
  } catch (error) {
    if (error instanceof RejectedTransaction) return error.rejection
    throw error
  }
}

/** Marks activity; on PostgreSQL this also locks the session's row, so that prompts to one session take turns. */
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

const insertSessionRow = prepared<
  Pick<Insertable<Schema['sessions']>, 'id' | 'owner' | 'agent' | 'title' | 'open_by_id' | 'temporary' | 'leaf'> & { now: number }
>((database, { id, owner, agent, title, open_by_id, temporary, leaf, now }) =>
  unrestricted(database)
    .insertInto('sessions')
    .values({ id, owner, agent, title, open_by_id, temporary, leaf, created_at: now, updated_at: now }),
)

async function insertSession(database: Database, prompt: NewPrompt): Promise<TouchedSession> {
  if (prompt.newVisitor) await insertVisitor(database, prompt.newVisitor, prompt.now)
  // The visitor was deleted meanwhile.
  else if (!(await keepVisitor(database, prompt.newSession.owner))) throw new RejectedTransaction('unauthorized')
  const { openById, temporary = false, ...session } = prompt.newSession
  const flags = { open_by_id: openById ? 1 : 0, temporary: temporary ? 1 : 0 } as const
  await insertSessionRow(database, { ...session, ...flags, leaf: FIRST_PLACE.position, now: prompt.now })
  return { ...session, leaf: FIRST_PLACE.position }
}

async function insertTurn(database: Database, turn: NewTurn, session: TouchedSession, promptId: string) {
  const { id, instance, now, maxOfOwner } = turn
  if (maxOfOwner && (await hasRunning(database, session.owner, maxOfOwner))) throw new RejectedTransaction('too_many_turns')
  // Late, because others of the same network wait on PostgreSQL from here to COMMIT.
  const over = await turn.count(database)
  if (over) throw new RejectedTransaction(over)
  const reservations = turn.reservationsFor(session.agent)
  const exceeded = await reserveBudgets(database, reservations)
  if (exceeded) throw new RejectedTransaction(rejection(exceeded.code, { retryAfterS: exceeded.retryAfterS }))
  await insertTurnRow(database, {
    id,
    instance,
    session_id: session.id,
    prompt_id: promptId,
    now,
    reservations: serializeReservations(reservations),
  })
}

const insertTurnRow = prepared<
  Pick<Insertable<Schema['turns']>, 'id' | 'instance' | 'session_id' | 'prompt_id' | 'reservations'> & { now: number }
>((database, { id, instance, session_id, prompt_id, reservations, now }) =>
  database.insertInto('turns').values({
    id,
    instance,
    session_id,
    prompt_id,
    status: 'running',
    code: null,
    started_at: now,
    ended_at: null,
    reservations,
  }),
)

async function rejectWhileRunning(database: Database, sessionId: string): Promise<void> {
  const turnId = await findRunningTurn(database, sessionId)
  if (turnId) throw new RejectedTransaction(rejection('session_busy', { turn: turnId }))
}

const FIRST_PLACE = { position: 1, parent: 0 }

/** Throws a `RejectedTransaction` while a turn runs, and when there is no such prompt to edit. */
async function placeOfPrompt(transaction: Database, session: TouchedSession, edits: string | undefined) {
  await rejectWhileRunning(transaction, session.id)
  const position = await nextPosition(transaction, session.id)
  if (edits === undefined) return { position, parent: session.leaf }
  const edited = await findMessagePosition(transaction, session.id, edits)
  if (edited?.role !== 'user') throw new RejectedTransaction('not_found')
  return { position, parent: edited.parent }
}

interface TouchedSession {
  id: string
  owner: string
  agent: string
  leaf: number
}

/** The turn that may be answered again, the session it is of, and what its prompt has for answers. Locks the session. */
interface LastTurn {
  session: TouchedSession
  status: TurnStatus
  code: ErrorCode | null
  /** Whether the current branch ends with what it said. */
  isLast: boolean
  promptId: string
  answers: PlacedMessage[]
}

/** Throws a `RejectedTransaction` unless it is the last turn, and its answer is not complete. */
async function repeatableTurn(transaction: Database, access: Access, turnId: string, now: number): Promise<LastTurn> {
  const turn = await lastTurn(transaction, access, turnId, now)
  if ((turn.status === 'done' && !turn.code) || !turn.isLast) throw new RejectedTransaction('not_retryable')
  return turn
}

/** Throws a `RejectedTransaction` when there is none, and while another turn runs. */
export async function lastTurn(transaction: Database, access: Access, turnId: string, now: number): Promise<LastTurn> {
  const turn = await findTurn(transaction, access, turnId)
  const session = turn && (await touchSession(transaction, { id: turn.session, access }, now))
  if (!session) throw new RejectedTransaction('not_found')
  await rejectWhileRunning(transaction, session.id)
  const answers = await listLastAnswers(transaction, session.id, session.leaf)
  const isLast = answers.at(-1)?.message.metadata?.turnId === turn.id
  return { session, promptId: turn.promptId, status: turn.status, code: turn.code, isLast, answers }
}

export async function answerAgain(
  transaction: Database,
  { session, promptId }: Pick<LastTurn, 'session' | 'promptId'>,
  turn: NewTurn,
): Promise<Accepted> {
  await insertTurn(transaction, turn, session, promptId)
  return { kind: 'accepted', ...described(session), promptId, isNewSession: false }
}

function described({ id, owner, agent }: TouchedSession) {
  return { sessionId: id, owner, agent }
}

/** Removes the last of the answers, with which the current branch ends. */
async function deleteAnswers(transaction: Database, access: Access, { session }: LastTurn, answers: PlacedMessage[]): Promise<void> {
  const [first] = answers
  if (!first) return
  const positions = answers.map(({ position }) => position)
  await transaction.deleteFrom('messages').where('session_id', '=', session.id).where('position', 'in', positions).execute()
  await setLeaf(transaction, { id: session.id, access }, first.parent)
}
