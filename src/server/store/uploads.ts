import { sql } from 'kysely'
import { changeUploads, type RecordChange } from './upload-changes.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

export type UploadRow = Schema['uploads']
/** What staff say about a document. */
export type UploadFacts = Pick<UploadRow, 'title' | 'owner' | 'language' | 'valid_until'>
/** A version without its content. */
export type UploadVersion = Omit<Schema['upload_versions'], 'document' | 'content' | 'upload_id'>
export type NewVersion = Omit<Schema['upload_versions'], 'upload_id' | 'number'>
/** A document with the version that answers. */
export type Upload = UploadRow & Omit<UploadVersion, 'name' | 'number' | 'created_at'>

/** Bounds on all uploaded documents together. */
export interface UploadRoom {
  count: number
  /** Of all versions. */
  bytes: number
}

/** Versions of a document, with the one that answers. */
export const KEPT_VERSIONS = 10

const VERSION_COLUMNS = ['number', 'name', 'hash', 'size', 'characters', 'as_of', 'created_at'] as const

/** All uploaded documents by name, without their content. */
export function listUploads(database: Database): Promise<Upload[]> {
  return selectUploads(database).orderBy('uploads.name').execute()
}

/** An uploaded document; undefined if there is none. */
export function readUpload(database: Database, id: string): Promise<Upload | undefined> {
  return selectUploads(database).where('uploads.id', '=', id).executeTakeFirst()
}

function selectUploads(database: Database) {
  return database
    .selectFrom('uploads')
    .innerJoin('upload_versions', (join) =>
      join.onRef('upload_versions.upload_id', '=', 'uploads.id').onRef('upload_versions.number', '=', 'uploads.version'),
    )
    .selectAll('uploads')
    .select(['upload_versions.hash', 'upload_versions.size', 'upload_versions.characters', 'upload_versions.as_of'])
}

/** Versions of a document, newest first. */
export function listVersions(database: Database, id: string): Promise<UploadVersion[]> {
  return database.selectFrom('upload_versions').select(VERSION_COLUMNS).where('upload_id', '=', id).orderBy('number', 'desc').execute()
}

/** The content of a version. */
export function readVersion(database: Database, id: string, number: number): Promise<{ name: string; content: Uint8Array } | undefined> {
  return database
    .selectFrom('upload_versions')
    .select(['name', 'content'])
    .where('upload_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** The text of a version, `ExtractedDocument` as JSON. */
export async function readDocument(database: Database, id: string, number: number): Promise<string | undefined> {
  const row = await database
    .selectFrom('upload_versions')
    .select('document')
    .where('upload_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.document
}

/** Stores a new document. Returns why it can't be, if so. */
export async function insertUpload(
  database: Database,
  { id, name, ...facts }: UploadFacts & { id: string; name: string },
  version: NewVersion,
  { room, record }: { room: UploadRoom; record: RecordChange },
): Promise<'stored' | 'exists' | 'full'> {
  return changeUploads(database, async (transaction) => {
    const { count, bytes } = await usedRoom(transaction)
    if (count >= room.count || bytes + version.size > room.bytes) return 'full'
    const { numInsertedOrUpdatedRows: inserted } = await transaction
      .insertInto('uploads')
      .values({ id, name, ...facts, revision: 1, version: 1, created_at: version.created_at, changed_at: version.created_at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (inserted !== 1n) return 'exists'
    await transaction
      .insertInto('upload_versions')
      .values({ upload_id: id, number: 1, ...version })
      .execute()
    await record(transaction)
    return 'stored'
  })
}

/** A change of a document, based on the revision that its author saw. */
export interface UploadChange {
  id: string
  base: number
  now: number
  record: RecordChange
}

export type ChangeOutcome = 'changed' | 'missing' | 'conflict' | 'full'

/** Replaces the content of a document. Versions before the last ten are deleted. */
export function addVersion(database: Database, change: UploadChange, version: NewVersion, room: UploadRoom): Promise<ChangeOutcome> {
  return changeUpload(database, change, async (transaction, { id }) => {
    const { bytes } = await usedRoom(transaction)
    return bytes + version.size > room.bytes ? 'full' : { version: await insertVersion(transaction, id, version) }
  })
}

/** Answers from an earlier version again, which becomes the newest one. */
export function restoreVersion(database: Database, change: UploadChange, number: number, room: UploadRoom): Promise<ChangeOutcome> {
  return changeUpload(database, change, async (transaction, { id }) => {
    const earlier = await transaction
      .selectFrom('upload_versions')
      .selectAll()
      .where('upload_id', '=', id)
      .where('number', '=', number)
      .executeTakeFirst()
    if (!earlier) return 'missing'
    const { bytes } = await usedRoom(transaction)
    if (bytes + earlier.size > room.bytes) return 'full'
    const { upload_id: _, number: __, ...content } = earlier
    return { version: await insertVersion(transaction, id, { ...content, created_at: change.now }) }
  })
}

/** Changes what staff say about a document. */
export function changeFacts(database: Database, change: UploadChange, facts: UploadFacts): Promise<ChangeOutcome> {
  return changeUpload(database, change, async () => facts)
}

/** Deletes a document with all its versions. */
export function deleteUpload(database: Database, change: UploadChange): Promise<ChangeOutcome> {
  return changeUpload(database, change, async (transaction, { id }) => {
    // Versions first: SQLite may leave references to the caller.
    await transaction.deleteFrom('upload_versions').where('upload_id', '=', id).execute()
    await transaction.deleteFrom('uploads').where('id', '=', id).execute()
    return {}
  })
}

/** Runs a change if the document is as its author saw it. */
function changeUpload(
  database: Database,
  { id, base, now, record }: UploadChange,
  change: (transaction: Database, row: UploadRow) => Promise<Partial<UploadRow> | 'missing' | 'full'>,
): Promise<ChangeOutcome> {
  return changeUploads(database, async (transaction) => {
    // The update locks the row, so that of two changes at once the second sees the first.
    const { numUpdatedRows } = await transaction
      .updateTable('uploads')
      .set({ revision: base + 1, changed_at: now })
      .where('id', '=', id)
      .where('revision', '=', base)
      .executeTakeFirst()
    const row = await transaction.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return 'missing'
    if (numUpdatedRows === 0n) return 'conflict'
    const changed = await change(transaction, row)
    if (typeof changed === 'string') return changed
    if (Object.keys(changed).length > 0) await transaction.updateTable('uploads').set(changed).where('id', '=', id).execute()
    await record(transaction)
    return 'changed'
  })
}

async function insertVersion(transaction: Database, id: string, version: NewVersion): Promise<number> {
  const last = await transaction
    .selectFrom('upload_versions')
    .select((query) => query.fn.max('number').as('number'))
    .where('upload_id', '=', id)
    .executeTakeFirst()
  const number = (last?.number ?? 0) + 1
  await transaction
    .insertInto('upload_versions')
    .values({ upload_id: id, number, ...version })
    .execute()
  await transaction
    .deleteFrom('upload_versions')
    .where('upload_id', '=', id)
    .where('number', '<=', number - KEPT_VERSIONS)
    .execute()
  return number
}

async function usedRoom(database: Database): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number | string; bytes: number | string | null }>`
    select count(distinct upload_id) as count, sum(size) as bytes from upload_versions`.execute(database)
  return { count: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) }
}
