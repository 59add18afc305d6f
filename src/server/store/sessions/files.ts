import { sql } from 'kysely'
import type { StoredFile } from '../../../contract/chat/files.ts'
import { type Access, selectSessions, unrestricted } from '../visitors/access.ts'
import { type Sender, insertVisitor, type NewVisitor, lockExistingVisitor } from '../visitors/visitors.ts'
import { changesRows, type Database } from '../engine/database.ts'

/** Metadata of a file. `text` is null for images. */
export interface FileFacts extends Pick<StoredFile, 'id' | 'name' | 'mediaType' | 'bytes'> {
  text: string | null
}

export interface FileWithContent extends FileFacts {
  content: Uint8Array
}

export interface NewFile extends FileWithContent {
  owner: string
  now: number
  newVisitor: NewVisitor | null
}

export interface FileQuota {
  maxPending: number
  maxOwnBytes: number
}

const FACTS = ['id', 'name', 'media_type as mediaType', 'size as bytes', 'text'] as const

/** Stores a file until a prompt uses it. Returns false if the owner's quota is exceeded. */
export async function insertPendingFile(database: Database, file: NewFile, room: FileQuota): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { waiting, bytes } = await usedBy(transaction, file.owner)
    if (waiting >= room.maxPending || bytes + file.bytes > room.maxOwnBytes) return false
    if (file.newVisitor) await insertVisitor(transaction, file.newVisitor, file.now)
    else if (!(await lockExistingVisitor(transaction, file.owner))) return false
    const { id, owner, name, mediaType, text, content, now } = file
    await transaction
      .insertInto('waiting_files')
      .values({ id, owner, name, media_type: mediaType, size: file.bytes, created_at: now, text, content })
      .execute()
    return true
  })
}

// PostgreSQL returns sums as text.
async function usedBy(database: Database, owner: string): Promise<{ waiting: number; bytes: number }> {
  const waiting = await database
    .selectFrom('waiting_files')
    .select([sql<number | string>`count(*)`.as('count'), sql<number | string>`coalesce(sum(size), 0)`.as('bytes')])
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  const sent = await unrestricted(database)
    .selectFrom('files')
    .innerJoin('sessions', 'sessions.id', 'files.session_id')
    .select(sql<number | string>`coalesce(sum(files.size), 0)`.as('bytes'))
    .where('sessions.owner', '=', owner)
    .executeTakeFirstOrThrow()
  return { waiting: Number(waiting.count), bytes: Number(waiting.bytes) + Number(sent.bytes) }
}

/** A file that a prompt may use: pending, or in its session already. */
export type AttachableFile = FileFacts & { isInSession: boolean }

/** Files that a prompt may use: pending ones, and those of the session whose prompt it edits. Others are omitted. */
export async function findAttachableFiles(
  database: Database,
  { owner, access }: Pick<Sender, 'owner' | 'access'>,
  edited: string | undefined,
  ids: readonly string[],
): Promise<AttachableFile[]> {
  if (ids.length === 0) return []
  const waiting = await database.selectFrom('waiting_files').select(FACTS).where('owner', '=', owner).where('id', 'in', ids).execute()
  const there = edited === undefined ? [] : await findFilesOf(database, access, edited, ids)
  return [...waiting.map((file) => ({ ...file, isInSession: false })), ...there.map((file) => ({ ...file, isInSession: true }))]
}

function findFilesOf(database: Database, access: Access, sessionId: string, ids: readonly string[]): Promise<FileFacts[]> {
  return selectSessions(database, access)
    .innerJoin('files', 'files.session_id', 'sessions.id')
    .select(['files.id', 'files.name', 'files.media_type as mediaType', 'files.size as bytes', 'files.text'])
    .where('files.session_id', '=', sessionId)
    .where('files.id', 'in', ids)
    .execute()
}

/** A file of the caller, pending or in a chat. */
export async function findFile(database: Database, access: Access, id: string): Promise<FileWithContent | undefined> {
  const sent = await selectSessions(database, access)
    .innerJoin('files', 'files.session_id', 'sessions.id')
    .select(['files.id', 'files.name', 'files.media_type as mediaType', 'files.size as bytes', 'files.text', 'files.content'])
    .where('files.id', '=', id)
    .executeTakeFirst()
  if (sent || access.owner === null) return sent
  return database
    .selectFrom('waiting_files')
    .select([...FACTS, 'content'])
    .where('id', '=', id)
    .where('owner', '=', access.owner)
    .executeTakeFirst()
}

/** Deletes a pending file. Returns false if the caller has no such file. */
export async function deletePendingFile(database: Database, owner: string | null, id: string): Promise<boolean> {
  if (owner === null) return false
  return changesRows(database.deleteFrom('waiting_files').where('id', '=', id).where('owner', '=', owner))
}

/** Moves an owner's pending files into a session, within the prompt's transaction. Returns false if one is missing. */
export async function attachFiles(transaction: Database, owner: string, sessionId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const columns = ['id', 'name', 'media_type', 'size', 'created_at', 'text', 'content'] as const
  const waiting = transaction.selectFrom('waiting_files').where('owner', '=', owner).where('id', 'in', ids)
  const moved = await transaction
    .insertInto('files')
    .columns([...columns, 'session_id'])
    .expression(waiting.select([...columns, sql.val(sessionId).as('session_id')]))
    .executeTakeFirst()
  await transaction.deleteFrom('waiting_files').where('owner', '=', owner).where('id', 'in', ids).execute()
  return Number(moved.numInsertedOrUpdatedRows) === ids.length
}

/** Files of a session that the caller has found by its owner, by id. */
export async function readSessionFiles(
  database: Database,
  sessionId: string,
  ids: readonly string[],
): Promise<Map<string, FileWithContent>> {
  const rows = await database
    .selectFrom('files')
    .select([...FACTS, 'content'])
    .where('session_id', '=', sessionId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** All files of a session that the caller has found by its owner, without their content, oldest first. */
export async function listSessionFiles(database: Database, sessionId: string): Promise<FileFacts[]> {
  return database.selectFrom('files').select(FACTS).where('session_id', '=', sessionId).orderBy('created_at').orderBy('id').execute()
}
