import { sql } from 'kysely'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ChatMessage } from '../../contract/message.ts'
import type { Turn, TurnStatus } from '../../contract/sessions.ts'
import { type Access, openByIdAfter, reachable } from './access.ts'
import type { Database } from './database.ts'
import { claimKey, type EarlierClaim, type IdempotencyClaim } from './idempotency.ts'
import { messageOfRow, rowOfMessage } from './messages.ts'
import { insertVisitor, type NewVisitor } from './visitors.ts'

export interface NewTurn {
  id: string
  /** The process that runs it. */
  instance: string
  now: number
  /** What makes its request safe to repeat, if it is to be. */
  claim: IdempotencyClaim | null
}

export interface NewPrompt extends NewTurn {
  message: ChatMessage
  /** The session to go on with, if the caller may; otherwise `newSession` is made. */
  continues: { id: string; access: Access } | null
  newSession: { id: string; owner: string; agent: string; title: string; openById: boolean; temporary?: boolean }
  /** Stored with the prompt when it is this visitor's first. */
  newVisitor: NewVisitor | null
}

export type Accepted = { kind: 'accepted'; sessionId: string; owner: string; agent: string; isNewSession: boolean }
/** Why nothing was stored. */
export type Refused = { kind: 'session_busy'; turnId: string } | { kind: 'not_found' } | { kind: 'not_retryable' }

/** How a turn ended; `answer` is what was written until then. */
export interface TurnEnd {
  status: Exclude<TurnStatus, 'running'>
  code: ErrorCode | null
  answer: ChatMessage
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
 * Only for the last prompt of its session, and only when its turn did not end as done.
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
    const previous = await findTurn(transaction, access, turnId)
    if (!previous) throw new Refusal({ kind: 'not_found' })
    const session = await touchSession(transaction, { id: previous.session, access }, turn.now)
    if (!session) throw new Refusal({ kind: 'not_found' })
    await refuseWhileRunning(transaction, session.id)
    const later = await messagesAfter(transaction, session.id, previous.promptId)
    if (previous.status === 'done' || later.some((message) => message.role === 'user')) throw new Refusal({ kind: 'not_retryable' })
    if (later.length > 0) {
      const ids = later.map((message) => message.id)
      await transaction.deleteFrom('messages').where('session_id', '=', session.id).where('id', 'in', ids).execute()
    }
    await insertTurn(transaction, turn, session.id, previous.promptId)
    return { kind: 'accepted', sessionId: session.id, owner: session.owner, agent: session.agent, isNewSession: false }
  })
}

/**
 * Ends a turn, once: of several callers one wins, the others get false and change nothing.
 * The answer is stored in the same transaction.
 */
export async function endTurn(database: Database, turnId: string, end: TurnEnd, now: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const turn = await transaction
      .updateTable('turns')
      .set({ status: end.status, code: end.code, ended_at: now })
      .where('id', '=', turnId)
      .where('status', '=', 'running')
      .returning('session_id')
      .executeTakeFirst()
    if (!turn) return false
    const position = await nextPosition(transaction, turn.session_id)
    await transaction
      .insertInto('messages')
      .values(rowOfMessage(end.answer, turn.session_id, position, now))
      .execute()
    await transaction.updateTable('sessions').set({ updated_at: now }).where('id', '=', turn.session_id).execute()
    return true
  })
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

/** The stored answer of an ended turn; none after a retry replaced it. */
export async function findAnswer(database: Database, turn: StoredTurn): Promise<ChatMessage | undefined> {
  const [answer] = await messagesAfter(database, turn.session, turn.promptId)
  return answer?.metadata?.turnId === turn.id ? answer : undefined
}

/** Says that these turns are alive. */
export async function touchTurns(database: Database, instance: string, now: number): Promise<void> {
  await database.updateTable('turns').set({ heartbeat_at: now }).where('instance', '=', instance).where('status', '=', 'running').execute()
}

/** Up to `limit` running turns whose process has not been heard of since `before`. */
export async function listStaleTurns(database: Database, before: number, limit: number): Promise<{ id: string; sessionId: string }[]> {
  return database
    .selectFrom('turns')
    .select(['id', 'session_id as sessionId'])
    .where('status', '=', 'running')
    .where('heartbeat_at', '<', before)
    .limit(limit)
    .execute()
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
async function touchSession(database: Database, session: { id: string; access: Access }, now: number) {
  return database
    .updateTable('sessions')
    .set({ updated_at: now, open_by_id: openByIdAfter(session.access) })
    .where('id', '=', session.id)
    .where('temporary', '=', 0)
    .where(reachable(session.access))
    .returning(['id', 'owner', 'agent'])
    .executeTakeFirst()
}

async function insertSession(database: Database, prompt: NewPrompt): Promise<{ id: string; owner: string; agent: string }> {
  if (prompt.newVisitor) await insertVisitor(database, prompt.newVisitor, prompt.now)
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
  const row = { id, instance, session_id: sessionId, prompt_id: promptId, status: 'running' as const, code: null, started_at: now }
  await database
    .insertInto('turns')
    .values({ ...row, heartbeat_at: now, ended_at: null })
    .execute()
}

async function refuseWhileRunning(database: Database, sessionId: string): Promise<void> {
  const running = await database
    .selectFrom('turns')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', '=', 'running')
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
