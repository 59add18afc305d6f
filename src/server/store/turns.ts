import { sql } from 'kysely'
import type { ErrorCode } from '../../contract/errors.ts'
import { type ChatMessage, textOf } from '../../contract/message.ts'
import { MessageBuilder } from '../../contract/message-builder.ts'
import type { Turn, TurnStatus } from '../../contract/sessions.ts'
import { type Access, openByIdAfter, reachable } from './access.ts'
import type { Database } from './database.ts'
import { type Hold, placeHolds, settleHolds, type TokenUsage, type WantedHold } from './budgets.ts'
import { claimKey, type EarlierClaim, type IdempotencyClaim } from './idempotency.ts'
import { messageOfRow, rowOfMessage } from './messages.ts'
import { deleteTurnEvents, listChunks } from './turn-events.ts'
import { insertVisitor, type NewVisitor, staysVisitor } from './visitors.ts'

export interface NewTurn {
  id: string
  /** The process that runs it. */
  instance: string
  now: number
  /** What makes its request safe to repeat, if it is to be. */
  claim: IdempotencyClaim | null
  /** What is set aside for it; without room for all of it nothing is stored. */
  holds: readonly WantedHold[]
}

export interface NewPrompt extends NewTurn {
  message: ChatMessage
  /** The session to go on with, if the caller may, and it is that agent's where one is named; otherwise `newSession` is made. */
  continues: { id: string; agent?: string | null; access: Access } | null
  newSession: { id: string; owner: string; agent: string; title: string; openById: boolean; temporary?: boolean }
  /** Stored with the prompt when it is this visitor's first. */
  newVisitor: NewVisitor | null
}

export type Accepted = { kind: 'accepted'; sessionId: string; owner: string; agent: string; isNewSession: boolean }
/** Why nothing was stored. */
export type Refused =
  | { kind: 'unpaid'; hold: WantedHold }
  | { kind: 'session_busy'; turnId: string }
  | { kind: 'not_found' }
  /** The visitor has gone meanwhile. */
  | { kind: 'unauthorized' }
  | { kind: 'not_retryable' }

/** How a turn ended; `answer` is what was written until then. */
export interface TurnEnd {
  status: Exclude<TurnStatus, 'running'>
  code: ErrorCode | null
  answer: ChatMessage
  /** What it has used; null when nobody knows. */
  usage: TokenUsage | null
}

export interface StoredTurn extends Turn {
  promptId: string
}

/**
 * Commits a prompt, its turn and its idempotency key, and the session and the visitor if they are new, in one transaction.
 * When it returns `accepted`, the prompt survives a crash of the process and a loss of power.
 */
export async function insertPrompt(database: Database, prompt: NewPrompt): Promise<Accepted | EarlierClaim | Refused> {
  return refusable(database, async (transaction) => {
    const earlier = prompt.claim && (await claimKey(transaction, prompt.claim, prompt.id, prompt.now))
    if (earlier) return earlier
    const continued = prompt.continues && (await touchSession(transaction, prompt.continues, prompt.now))
    const session = continued ?? (await insertSession(transaction, prompt))
    if (continued) await refuseWhileRunning(transaction, session.id)
    const position = continued ? await nextPosition(transaction, session.id) : 1
    await transaction
      .insertInto('messages')
      .values(rowOfMessage(prompt.message, session.id, position, prompt.now))
      .execute()
    await insertTurn(transaction, prompt, session.id, prompt.message.id)
    return { kind: 'accepted', sessionId: session.id, owner: session.owner, agent: session.agent, isNewSession: !continued }
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
): Promise<Accepted | EarlierClaim | Refused> {
  return refusable(database, async (transaction) => {
    const earlier = turn.claim && (await claimKey(transaction, turn.claim, turn.id, turn.now))
    if (earlier) return earlier
    const last = await lastTurn(transaction, access, turnId, turn.now)
    await deleteMessages(transaction, last.session.id, last.answers)
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
): Promise<(Accepted & { continues: boolean }) | EarlierClaim | Refused> {
  return refusable(database, async (transaction) => {
    const earlier = turn.claim && (await claimKey(transaction, turn.claim, turn.id, turn.now))
    if (earlier) return earlier
    const last = await lastTurn(transaction, access, turnId, turn.now)
    const empty = last.answers.filter((answer) => textOf(answer).trim() === '')
    await deleteMessages(transaction, last.session.id, empty)
    return { ...(await answerAgain(transaction, last, turn)), continues: empty.length < last.answers.length }
  })
}

/**
 * Ends a turn, once: of several callers one wins, the others get false and change nothing.
 * The answer is stored in the same transaction, and takes the place of the turn's events.
 */
export async function endTurn(database: Database, turnId: string, end: TurnEnd, now: number): Promise<boolean> {
  const owner = await database.transaction().execute((transaction) => storeEnd(transaction, turnId, end, async () => end.answer, now))
  return owner !== undefined
}

/**
 * Ends a turn whose process is gone, as `endTurn` does: the answer is made from the events that were stored.
 * `answerId` names it when there are none. Returns whose session it was in, or undefined when somebody else has ended it.
 */
export async function endAbandonedTurn(
  database: Database,
  turnId: string,
  end: Pick<TurnEnd, 'status' | 'code'> & { answerId: string },
  now: number,
): Promise<string | undefined> {
  return database.transaction().execute((transaction) =>
    storeEnd(
      transaction,
      turnId,
      { ...end, usage: null },
      async (sessionId) => {
        const builder = new MessageBuilder(end.answerId)
        for (const chunk of await listChunks(transaction, turnId)) builder.apply(chunk)
        const answer = builder.finished()
        const metadata = { sessionId, turnId, ...answer.metadata, status: end.status, ...(end.code && { code: end.code }) }
        return { ...answer, metadata }
      },
      now,
    ),
  )
}

/** Returns the owner of the session. */
async function storeEnd(
  transaction: Database,
  turnId: string,
  { status, code, usage }: Pick<TurnEnd, 'status' | 'code' | 'usage'>,
  answerOf: (sessionId: string) => Promise<ChatMessage>,
  now: number,
): Promise<string | undefined> {
  const turn = await transaction
    .updateTable('turns')
    .set({ status, code, ended_at: now })
    .where('id', '=', turnId)
    .where('status', '=', 'running')
    .returning(['session_id', 'holds'])
    .executeTakeFirst()
  if (!turn) return undefined
  if (turn.holds !== null) await settleHolds(transaction, JSON.parse(turn.holds) as Hold[], usage)
  const answer = await answerOf(turn.session_id)
  const position = await nextPosition(transaction, turn.session_id)
  await transaction
    .insertInto('messages')
    .values(rowOfMessage(answer, turn.session_id, position, now))
    .execute()
  await deleteTurnEvents(transaction, turnId)
  const used = transaction.updateTable('sessions').set({ updated_at: now }).where('id', '=', turn.session_id)
  return (await used.returning('owner').executeTakeFirstOrThrow()).owner
}

/**
 * Settles what running turns of these sessions hold, within the transaction that deletes them: nobody will know what they used.
 * From here on to its end the transaction keeps turns from being started in these sessions.
 */
export async function settleDeletedTurns(transaction: Database, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return
  // Whoever starts a turn changes its session's row first.
  await transaction.updateTable('sessions').set({ open_by_id: sql`open_by_id` }).where('id', 'in', sessionIds).execute()
  const running = await transaction
    .deleteFrom('turns')
    .where('session_id', 'in', sessionIds)
    .where('status', '=', 'running')
    .returning('holds')
    .execute()
  for (const { holds } of running) if (holds !== null) await settleHolds(transaction, JSON.parse(holds) as Hold[], null)
}

export async function findTurn(database: Database, access: Access, id: string): Promise<StoredTurn | undefined> {
  const row = await database
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['turns.id', 'turns.session_id', 'turns.status', 'turns.code', 'turns.prompt_id'])
    .where('turns.id', '=', id)
    .where((query) => reachable(access)(query as never))
    .executeTakeFirst()
  return row && { id: row.id, session: row.session_id, status: row.status, code: row.code, promptId: row.prompt_id }
}

/** How a turn has ended, by the database; nothing while it runs, and when it is gone. */
export async function findEnd(database: Database, turnId: string): Promise<TurnEnd | undefined> {
  const row = await database.selectFrom('turns').select(['session_id', 'status', 'code']).where('id', '=', turnId).executeTakeFirst()
  if (!row || row.status === 'running') return undefined
  const answer = await findAnswer(database, { id: turnId, session: row.session_id })
  return answer && { status: row.status, code: row.code, answer, usage: null }
}

/** The stored answer of an ended turn; none after a retry replaced it. */
export async function findAnswer(database: Database, turn: Pick<StoredTurn, 'id' | 'session'>): Promise<ChatMessage | undefined> {
  const row = await database
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', turn.session)
    .where('role', '=', 'assistant')
    // Metadata is written by us alone, and a turn's id has no character that JSON escapes.
    .where('metadata', 'like', `%"turnId":"${turn.id}"%`)
    .executeTakeFirst()
  return row && messageOfRow(row)
}

class Refusal extends Error {
  readonly refusal: Refused

  constructor(refusal: Refused) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

/** Runs a transaction in which a thrown `Refusal` rolls everything back and becomes the result. */
async function refusable<T>(database: Database, run: (transaction: Database) => Promise<T>): Promise<T | Refused> {
  try {
    return await database.transaction().execute(run)
  } catch (error) {
    if (error instanceof Refusal) return error.refusal
    throw error
  }
}

/** Marks activity; on PostgreSQL this also locks the session's row, so that prompts to one session take turns. */
async function touchSession(database: Database, session: { id: string; agent?: string | null; access: Access }, now: number) {
  const { agent } = session
  return database
    .updateTable('sessions')
    .set({ updated_at: now, open_by_id: openByIdAfter(session.access) })
    .where('id', '=', session.id)
    .where('temporary', '=', 0)
    .where(reachable(session.access))
    .$if(agent != null, (query) => query.where('agent', '=', agent as string))
    .returning(['id', 'owner', 'agent'])
    .executeTakeFirst()
}

async function insertSession(database: Database, prompt: NewPrompt): Promise<{ id: string; owner: string; agent: string }> {
  if (prompt.newVisitor) await insertVisitor(database, prompt.newVisitor, prompt.now)
  else if (!(await staysVisitor(database, prompt.newSession.owner))) throw new Refusal({ kind: 'unauthorized' })
  const { openById, temporary = false, ...session } = prompt.newSession
  const times = { created_at: prompt.now, updated_at: prompt.now }
  await database
    .insertInto('sessions')
    .values({ ...session, open_by_id: openById ? 1 : 0, temporary: temporary ? 1 : 0, ...times })
    .execute()
  return session
}

async function insertTurn(database: Database, turn: NewTurn, sessionId: string, promptId: string): Promise<void> {
  const { id, instance, now } = turn
  const unpaid = await placeHolds(database, turn.holds)
  if (unpaid) throw new Refusal({ kind: 'unpaid', hold: unpaid })
  const row = { id, instance, session_id: sessionId, prompt_id: promptId, status: 'running' as const, code: null, started_at: now }
  await database
    .insertInto('turns')
    .values({ ...row, heartbeat_at: now, ended_at: null, holds: textOfHolds(turn.holds) })
    .execute()
}

function textOfHolds(holds: readonly WantedHold[]): string | null {
  if (holds.length === 0) return null
  return JSON.stringify(
    holds.map(
      ({ account, amount, inputPrice, outputPrice, standIn }): Hold => ({
        account,
        amount,
        inputPrice,
        outputPrice,
        ...(standIn && { standIn }),
      }),
    ),
  )
}

async function refuseWhileRunning(database: Database, sessionId: string): Promise<void> {
  const running = await database
    .selectFrom('turns')
    .select('id')
    .where('session_id', '=', sessionId)
    // Said in the statement itself, so that SQLite finds it by the index of running turns, however many the session has had.
    .where('status', '=', sql.lit('running'))
    .executeTakeFirst()
  if (running) throw new Refusal({ kind: 'session_busy', turnId: running.id })
}

async function nextPosition(database: Database, sessionId: string): Promise<number> {
  const row = await database
    .selectFrom('messages')
    .select(sql<number>`coalesce(max(position), 0) + 1`.as('next'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return row.next
}

/** The turn that may be answered again, the session it is of, and what its prompt has for answers. Locks the session. */
interface LastTurn {
  session: { id: string; owner: string; agent: string }
  promptId: string
  answers: ChatMessage[]
}

/** Throws a `Refusal` when there is none, and while another turn runs. */
async function lastTurn(transaction: Database, access: Access, turnId: string, now: number): Promise<LastTurn> {
  const turn = await findTurn(transaction, access, turnId)
  const session = turn && (await touchSession(transaction, { id: turn.session, access }, now))
  if (!session) throw new Refusal({ kind: 'not_found' })
  await refuseWhileRunning(transaction, session.id)
  const answers = await messagesAfter(transaction, session.id, turn.promptId)
  const isLast = answers.at(-1)?.metadata?.turnId === turn.id
  if (turn.status === 'done' || !isLast) throw new Refusal({ kind: 'not_retryable' })
  return { session, promptId: turn.promptId, answers }
}

async function answerAgain(transaction: Database, { session, promptId }: LastTurn, turn: NewTurn): Promise<Accepted> {
  await insertTurn(transaction, turn, session.id, promptId)
  return { kind: 'accepted', sessionId: session.id, owner: session.owner, agent: session.agent, isNewSession: false }
}

async function deleteMessages(transaction: Database, sessionId: string, messages: ChatMessage[]): Promise<void> {
  if (messages.length === 0) return
  const ids = messages.map((message) => message.id)
  await transaction.deleteFrom('messages').where('session_id', '=', sessionId).where('id', 'in', ids).execute()
}

async function messagesAfter(database: Database, sessionId: string, promptId: string): Promise<ChatMessage[]> {
  const rows = await database
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('position', '>', (query) =>
      query
        .selectFrom('messages as prompt')
        .select('prompt.position')
        .where('prompt.id', '=', promptId)
        .where('prompt.session_id', '=', sessionId),
    )
    .orderBy('position')
    .execute()
  return rows.map(messageOfRow)
}
