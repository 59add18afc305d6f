import { sql } from 'kysely'
import { type AnswerState, answerStateOf } from '../../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { TurnStatus } from '../../../contract/chat/turn-status.ts'
import { unrestricted } from '../visitors/access.ts'
import { nextPosition } from '../sessions/branches.ts'
import { type BudgetReservation, settleBudgets, type TokenUsage } from './budgets.ts'
import { type Database, isEmbedded } from '../engine/database.ts'
import { messageOfRow, rowOfMessage } from '../sessions/messages.ts'
import { deleteTurnEvents, listChunks } from './turn-events.ts'
import { type AnswerVersions, NO_VERSIONS, storedVersions, storeVersionTexts } from './turn-versions.ts'
import type { StoredTurn } from './turns.ts'

export interface TurnEnd {
  status: Exclude<TurnStatus, 'running'>
  code: ErrorCode | null
  state: AnswerState
  answer: ChatMessage
  /** Versions that the answer was made from; `null` if unknown. */
  versions?: AnswerVersions | null | undefined
  /** Token usage; null if unknown. */
  usage: TokenUsage | null
}

/** Ends a turn once: of several callers one wins, the others get `false`. The stored answer replaces the turn's events. */
export async function endTurn(database: Database, turnId: string, end: TurnEnd, now: number): Promise<boolean> {
  if (end.versions) await storeVersionTexts(database, end.versions, now)
  const session = await database.transaction().execute((transaction) => storeEnd(transaction, turnId, end, async () => end.answer, now))
  return session !== undefined
}

/**
 * Ends a turn of a dead process like `endTurn`, with an answer built from its stored events.
 * `answerId` is used if there are none. Returns the session's owner and agent, or undefined if the turn was already ended.
 */
export async function endAbandonedTurn(
  database: Database,
  turnId: string,
  end: Pick<TurnEnd, 'status' | 'code'> & { answerId: string },
  now: number,
): Promise<EndedSession | undefined> {
  const state = answerStateOf(end)
  return database.transaction().execute((transaction) =>
    storeEnd(
      transaction,
      turnId,
      { ...end, state, usage: null },
      async (sessionId) => {
        const builder = new MessageBuilder(end.answerId)
        for (const chunk of await listChunks(transaction, turnId)) builder.apply(chunk)
        const answer = builder.finished()
        const metadata = { sessionId, turnId, ...answer.metadata, status: end.status, ...(end.code && { code: end.code }), state }
        return { ...answer, metadata }
      },
      now,
    ),
  )
}

/** Whose chat a turn was in, and which agent answers there. */
export interface EndedSession {
  owner: string
  agent: string
}

async function storeEnd(
  transaction: Database,
  turnId: string,
  { status, code, state, usage, versions }: Pick<TurnEnd, 'status' | 'code' | 'state' | 'usage' | 'versions'>,
  answerOf: (sessionId: string) => Promise<ChatMessage>,
  now: number,
): Promise<EndedSession | undefined> {
  const turn = await unrestricted(transaction)
    .updateTable('turns')
    .set({ status, code, state, ended_at: now, ...(versions ? storedVersions(versions) : NO_VERSIONS) })
    .where('id', '=', turnId)
    .where('status', '=', 'running')
    // Locks the session before the turn, as starting and deleting a turn do: the other order deadlocks with them.
    // A scalar subquery, for which SQLite builds no Bloom filter.
    .where('session_id', '=', ({ selectFrom }) =>
      selectFrom('sessions')
        .select('sessions.id')
        .where('sessions.id', '=', (query) => query.selectFrom('turns').select('session_id').where('id', '=', turnId))
        .$if(!isEmbedded(transaction), (query) => query.modifyEnd(sql`for no key update`)),
    )
    .returning(['session_id', 'reservations'])
    .executeTakeFirst()
  if (!turn) return undefined
  if (turn.reservations !== null) await settleBudgets(transaction, JSON.parse(turn.reservations) as BudgetReservation[], usage)
  const session = turn.session_id
  const position = await nextPosition(transaction, session)
  // Below the session's leaf, which hasn't changed since the turn started.
  const parent = unrestricted(transaction).selectFrom('sessions').select('leaf').where('id', '=', session)
  const row = rowOfMessage(await answerOf(session), { session, position, parent: 0 }, now)
  await transaction
    .insertInto('messages')
    .values({ ...row, parent })
    .execute()
  await deleteTurnEvents(transaction, turnId)
  return unrestricted(transaction)
    .updateTable('sessions')
    .set({ updated_at: now, leaf: position })
    .where('id', '=', session)
    .returning(['owner', 'agent'])
    .executeTakeFirst()
}

/** The stored end of a turn; undefined while it runs or if it was deleted. */
export async function findEnd(database: Database, turnId: string): Promise<TurnEnd | undefined> {
  const row = await database
    .selectFrom('turns')
    .select(['session_id', 'status', 'code', 'state'])
    .where('id', '=', turnId)
    .executeTakeFirst()
  if (!row || row.status === 'running') return undefined
  const answer = await findAnswer(database, { id: turnId, session: row.session_id })
  return (
    answer && { status: row.status, code: row.code, state: row.state ?? answerStateOf({ ...row, status: row.status }), answer, usage: null }
  )
}

/** The stored answer of an ended turn; undefined after a retry. */
export async function findAnswer(database: Database, turn: Pick<StoredTurn, 'id' | 'session'>): Promise<ChatMessage | undefined> {
  const row = await database
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', turn.session)
    .where('turn_id', '=', turn.id)
    .executeTakeFirst()
  return row && messageOfRow(row)
}
