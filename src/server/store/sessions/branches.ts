import { type Nullable, type Selectable, sql } from 'kysely'
import type { ChatMessage, MessageVersion } from '../../../contract/chat/message.ts'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { type Access, lockStoredSession, unrestricted, updateSessions } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import { messageOfRow } from './messages.ts'
import type { Schema } from '../engine/schema/schema.ts'

// A session's messages form a tree by their parent. The current branch, from the root to the leaf, is what is shown, sent to the
// model and continued by the next prompt. A message's position is greater than its parent's. Queries that walk the tree use cross
// joins, which make SQLite look up each message by its successor instead of scanning the session at every step.

export interface PlacedMessage {
  message: ChatMessage
  position: number
  parent: number
}

/** Bounds of a read of the current branch: number, characters of stored JSON, and end. */
export interface BranchBounds {
  maxCharacters?: number
  limit?: number | undefined
  before?: number | undefined
}

type Opinion = Nullable<Pick<Selectable<Schema['feedback']>, 'thumb' | 'reason'>>

/** Nothing can be more: a number that every database takes. */
const MAX_INTEGER = 2 ** 31 - 1

/** Newest messages of the current branch, oldest first, within bounds, at least one. The caller has found the session by its owner. */
export async function listBranch(database: Database, sessionId: string, bounds: BranchBounds): Promise<PlacedMessage[]> {
  const rows = await branchMessages(database, sessionId, bounds)
    .leftJoin('feedback', (join) =>
      join.onRef('feedback.session_id', '=', 'messages.session_id').onRef('feedback.position', '=', 'messages.position'),
    )
    .selectAll('messages')
    .select(['feedback.thumb', 'feedback.reason'])
    .orderBy('messages.position')
    .execute()
  return rows.map(placedOfRow)
}

/** A query of the messages that `listBranch` reads. */
export function branchMessages(database: Database, sessionId: string, bounds: BranchBounds) {
  return branchOf(database, sessionId, bounds)
    .crossJoin('messages')
    .whereRef('messages.position', '=', 'branch.position')
    .where('messages.session_id', '=', sessionId)
}

/** Positions of a session's whole current branch, oldest first. */
export async function listBranchPositions(database: Database, sessionId: string): Promise<number[]> {
  const rows = await branchOf(database, sessionId, {}).select('branch.position').orderBy('branch.position').execute()
  return rows.map(({ position }) => position)
}

export function placedOfRow(row: Selectable<Schema['messages']> & Partial<Opinion>): PlacedMessage {
  const { position, parent, thumb, reason } = row
  const message = messageOfRow(row)
  if (!thumb) return { message, position, parent }
  return { message: { ...message, metadata: { ...message.metadata, feedback: { thumb, ...(reason && { reason }) } } }, position, parent }
}

/** Adds version numbers to the metadata of messages that have other versions. `messages` are oldest first. */
export async function withVersions(database: Database, sessionId: string, messages: PlacedMessage[]): Promise<ChatMessage[]> {
  const versions = await versionsFrom(database, sessionId, messages[0]?.parent ?? 0)
  return messages.map(({ message, position }) => {
    const version = versions.get(position)
    return version ? { ...message, metadata: { ...message.metadata, version } } : message
  })
}

/** Switches to the branch with this message, down to its newest descendant. Rejected while an answer, which extends the branch, runs. */
export async function chooseBranch(
  database: Database,
  { id, access }: { id: string; access: Access },
  messageId: string,
): Promise<{ kind: 'chosen' } | Rejection> {
  return database.transaction().execute(async (transaction) => {
    const session = await lockStoredSession(transaction, id, access)
    const message = session && (await findMessagePosition(transaction, id, messageId))
    if (!message) return rejection('not_found')
    const running = await findRunningTurn(transaction, id)
    if (running) return rejection('session_busy', { turn: running })
    const leaf = await newestBelow(transaction, id, message.position)
    // Counts as activity, so other tabs are notified.
    await updateSessions(transaction, access).set({ leaf, updated_at: access.now }).where('id', '=', id).execute()
    return { kind: 'chosen' }
  })
}

/** Shows the branch that ends at this position. Call it in the transaction that checked access. */
export async function setLeaf(transaction: Database, { id, access }: { id: string; access: Access }, leaf: number): Promise<void> {
  await updateSessions(transaction, access).set({ leaf }).where('id', '=', id).execute()
}

export async function findRunningTurn(database: Database, sessionId: string): Promise<string | undefined> {
  const running = await database
    .selectFrom('turns')
    .select('id')
    .where('session_id', '=', sessionId)
    // A literal, so SQLite uses the partial index of running turns.
    .where('status', '=', sql.lit('running'))
    .executeTakeFirst()
  return running?.id
}

/** Position of a session's next message, on any branch. */
export async function nextPosition(database: Database, sessionId: string): Promise<number> {
  const last = await database
    .selectFrom('messages')
    .select('position')
    .where('session_id', '=', sessionId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (last?.position ?? 0) + 1
}

export type MessagePosition = Pick<PlacedMessage, 'position' | 'parent'> & { id: string; role: 'user' | 'assistant' }

export async function findMessagePosition(
  database: Database,
  sessionId: string,
  message: string | number,
): Promise<MessagePosition | undefined> {
  return database
    .selectFrom('messages')
    .select(['id', 'position', 'parent', 'role'])
    .where('session_id', '=', sessionId)
    .where((query) => (typeof message === 'string' ? query('id', '=', message) : query('position', '=', message)))
    .executeTakeFirst()
}

/** The prompt of an answer, or the message itself if it is a prompt; undefined for an answer without one. */
export async function findPromptOf(database: Database, sessionId: string, message: MessagePosition): Promise<MessagePosition | undefined> {
  if (message.role === 'user') return message
  return (await answersUpFrom(database, sessionId, message.position)).find((place) => place.role === 'user')
}

/** The answers to the last prompt of the current branch, oldest first. */
export async function listLastAnswers(database: Database, sessionId: string, leaf: number): Promise<PlacedMessage[]> {
  const positions = (await answersUpFrom(database, sessionId, leaf))
    .filter(({ role }) => role === 'assistant')
    .map(({ position }) => position)
  if (positions.length === 0) return []
  const rows = await database
    .selectFrom('messages')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('position', 'in', positions)
    .orderBy('position')
    .execute()
  return rows.map(placedOfRow)
}

/** A query of positions on the current branch, upwards from the leaf or a position. */
function branchOf(database: Database, sessionId: string, { maxCharacters = MAX_INTEGER, limit = MAX_INTEGER, before }: BranchBounds) {
  const leaf = unrestricted(database).selectFrom('sessions').select('leaf').where('id', '=', sessionId)
  const parent = database
    .selectFrom('messages')
    .select('parent')
    .where('session_id', '=', sessionId)
    .where('position', '=', before ?? 0)
  return database
    .withRecursive('branch(position, parent, size, count)', (query) =>
      query
        .selectFrom('messages')
        .select(['position', 'parent', sql<number>`length(parts)`.as('size'), sql<number>`1`.as('count')])
        .where('session_id', '=', sessionId)
        .where('position', '=', before === undefined ? leaf : parent)
        .unionAll((union) =>
          union
            .selectFrom('branch')
            .crossJoin('messages')
            .whereRef('messages.position', '=', 'branch.parent')
            .where('messages.session_id', '=', sessionId)
            .select([
              'messages.position',
              'messages.parent',
              sql<number>`branch.size + length(messages.parts)`.as('size'),
              sql<number>`branch.count + 1`.as('count'),
            ])
            .where('branch.size', '<', maxCharacters)
            .where('branch.count', '<', limit),
        ),
    )
    .selectFrom('branch')
}

/** Messages from a position up to the nearest prompt, inclusive. */
function answersUpFrom(database: Database, sessionId: string, position: number): Promise<MessagePosition[]> {
  return database
    .withRecursive('answers(id, position, parent, role)', (query) =>
      query
        .selectFrom('messages')
        .select(['id', 'position', 'parent', 'role'])
        .where('session_id', '=', sessionId)
        .where('position', '=', position)
        .unionAll((union) =>
          union
            .selectFrom('answers')
            .crossJoin('messages')
            .whereRef('messages.position', '=', 'answers.parent')
            .where('messages.session_id', '=', sessionId)
            .select(['messages.id', 'messages.position', 'messages.parent', 'messages.role'])
            .where('answers.role', '=', 'assistant'),
        ),
    )
    .selectFrom('answers')
    .selectAll()
    .execute()
}

async function newestBelow(database: Database, sessionId: string, position: number): Promise<number> {
  const { newest } = await database
    .withRecursive('below(position)', (query) =>
      query
        .selectFrom('messages')
        .select('position')
        .where('session_id', '=', sessionId)
        .where('position', '=', position)
        .unionAll((union) =>
          union
            .selectFrom('below')
            .crossJoin('messages')
            .whereRef('messages.parent', '=', 'below.position')
            .where('messages.session_id', '=', sessionId)
            .select('messages.position'),
        ),
    )
    .selectFrom('below')
    .select(({ fn }) => fn.max('below.position').as('newest'))
    .executeTakeFirstOrThrow()
  return newest
}

/** Version numbers by position, for messages whose parent is at or after `firstParent`. */
async function versionsFrom(database: Database, sessionId: string, firstParent: number): Promise<Map<number, MessageVersion>> {
  const forks = database
    .selectFrom('messages as child')
    .select('child.parent')
    .where('child.session_id', '=', sessionId)
    .where('child.parent', '>=', firstParent)
    .groupBy('child.parent')
    .having(({ fn }) => fn.countAll<number>(), '>', 1)
    .as('forks')
  const rows = await database
    .selectFrom(forks)
    .crossJoin('messages')
    .select(['messages.id', 'messages.position', 'messages.parent'])
    .whereRef('messages.parent', '=', 'forks.parent')
    .where('messages.session_id', '=', sessionId)
    .orderBy('messages.position')
    .execute()
  const versions = new Map<number, MessageVersion>()
  for (const siblings of Map.groupBy(rows, ({ parent }) => parent).values()) {
    for (const [index, { position }] of siblings.entries()) {
      const [before, after] = [siblings[index - 1]?.id, siblings[index + 1]?.id]
      versions.set(position, { number: index + 1, of: siblings.length, ...(before && { before }), ...(after && { after }) })
    }
  }
  return versions
}
