import { type Nullable, type Selectable, sql } from 'kysely'
import type { ChatMessage, MessageVersion } from '../../contract/message.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import { type Access, lockStoredSession, unrestricted, updateSessions } from './access.ts'
import type { Database } from './database.ts'
import { messageOfRow } from './messages.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

// A session's messages are a tree: each says which message it follows. Its current branch is the way from the root to its leaf,
// and that is what is shown, what the model reads, and what the next prompt follows. A message's position is above its parent's.
// Queries that walk the tree join crosswise: SQLite then looks each message up by the one before it, and does not choose to read the
// whole session at every step.

/** A message, where it stands, and what it follows. */
export interface PlacedMessage {
  message: ChatMessage
  position: number
  parent: number
}

/** The newest messages of a session's current branch: at most so many, and so much stored JSON; before a position, and back to one at most. */
export interface BranchBounds {
  maxCharacters?: number
  limit?: number | undefined
  before?: number | undefined
  /** So far back and no further. */
  from?: number | undefined
}

type Opinion = Nullable<Pick<Selectable<Schema['feedback']>, 'thumb' | 'reason'>>

/** Nothing can be more: a number that every database takes. */
const MAX_INTEGER = 2 ** 31 - 1

/**
 * The newest messages of a session's current branch, oldest first, within bounds; at least one where there are any.
 * The caller has found the session by its owner.
 */
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

/** Of these messages of a session, oldest first, those that have other versions beside them say so in their metadata. */
export async function withVersions(database: Database, sessionId: string, messages: PlacedMessage[]): Promise<ChatMessage[]> {
  const versions = await versionsFrom(database, sessionId, messages[0]?.parent ?? 0)
  return messages.map(({ message, position }) => {
    const version = versions.get(position)
    return version ? { ...message, metadata: { ...message.metadata, version } } : message
  })
}

/**
 * Makes the branch current that holds a message, down to the newest message that came of it. Not while an answer is being written,
 * for that goes on with the branch that is current.
 */
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
    // Seen as activity, by which other tabs hear of it.
    await updateSessions(transaction, access).set({ leaf, updated_at: access.now }).where('id', '=', id).execute()
    return { kind: 'chosen' }
  })
}

export async function setLeaf(transaction: Database, { id, access }: { id: string; access: Access }, leaf: number): Promise<void> {
  await updateSessions(transaction, access).set({ leaf }).where('id', '=', id).execute()
}

export async function findRunningTurn(database: Database, sessionId: string): Promise<string | undefined> {
  const [running] = (await selectRunning(database, { sessionId })).rows
  return running?.id
}

const selectRunning = prepared((database, { sessionId }: { sessionId: string }) =>
  database
    .selectFrom('turns')
    .select('id')
    .where('session_id', '=', sessionId)
    // Said in the statement itself, so that SQLite finds it by the index of running turns, however many the session has had.
    .where('status', '=', sql.lit('running')),
)

/** Where the next message of a session is stored, on whichever branch. */
export async function nextPosition(database: Database, sessionId: string): Promise<number> {
  const [row] = (await selectLast(database, { sessionId })).rows
  return (row?.position ?? 0) + 1
}

const selectLast = prepared((database, { sessionId }: { sessionId: string }) =>
  database.selectFrom('messages').select('position').where('session_id', '=', sessionId).orderBy('position', 'desc').limit(sql.lit(1)),
)

export type MessagePosition = Pick<PlacedMessage, 'position' | 'parent'> & { id: string; role: 'user' | 'assistant' }

/** The place of a message that is named by its id or its position. */
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

/** The prompt that a message answers, or the prompt that it is; none for an answer that was imported without one. */
export async function findPromptOf(database: Database, sessionId: string, message: MessagePosition): Promise<MessagePosition | undefined> {
  if (message.role === 'user') return message
  return (await answersUpFrom(database, sessionId, message.position)).find((place) => place.role === 'user')
}

/** The answers that end a session's current branch, oldest first: what has been said to its last prompt. */
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

/** A query of the current branch, upwards from its leaf or from a position: where each message stands. */
function branchOf(
  database: Database,
  sessionId: string,
  { maxCharacters = MAX_INTEGER, limit = MAX_INTEGER, before, from = 0 }: BranchBounds,
) {
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
        .where('position', '>=', from)
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
            .where('branch.count', '<', limit)
            .where('messages.position', '>=', from),
        ),
    )
    .selectFrom('branch')
}

/** From a position up to the first prompt, both included. */
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

/** Of messages that follow a position from `firstParent` on: which of several versions each is, by position. */
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
