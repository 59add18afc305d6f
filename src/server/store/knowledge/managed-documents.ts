import { sql } from 'kysely'
import { type Database, inTransaction } from '../engine/database.ts'
import { type ManagedText, ManagedTexts, type NewPublication, type Publication } from './managed-texts.ts'
import type { RecordChange } from '../staff/audit-log.ts'

/** Versions of a document, with the one that answers. */
export const KEPT_VERSIONS = 10

/** Documents that staff upload. The draft has what staff say about one, and answers at once; versions have its files. */
const DOCUMENTS = new ManagedTexts({
  kind: 'document',
  version: 'uploads_version',
  max: Number.POSITIVE_INFINITY,
  kept: KEPT_VERSIONS,
  isDraftLive: true,
})

export interface UploadFacts {
  /** In place of the document's own; null for that. */
  title: string | null
  owner: string
  /** BCP 47 tag; null if nobody said. */
  language: string | null
  /** Last day on which it answers, ISO date in UTC; null for no end. */
  validUntil: string | null
  /** Whether it waits for staff to publish it, and doesn't answer. */
  isDraft?: boolean | undefined
}

interface FileFacts {
  name: string
  size: number
  characters: number
  /** ISO date that the document states, or that of its upload. */
  asOf: string
}

export type UploadVersion = FileFacts & Pick<Publication, 'number' | 'hash' | 'at'>
/** A file to store: with its text, `ExtractedDocument` as JSON, and its bytes. */
export type NewVersion = FileFacts & { hash: string; document: string; bytes: Uint8Array }
export type Upload = UploadFacts &
  Omit<UploadVersion, 'number' | 'at'> & { id: string; revision: number; version: number; changedAt: number }

export interface UploadRoom {
  count: number
  bytes: number
}

export interface UploadAuthor {
  by: string
  at: number
  record: RecordChange
}

/** A change of a document, based on the revision that its author saw. */
export interface UploadChange extends UploadAuthor {
  id: string
  base: number
}

export type ChangeOutcome = 'changed' | 'missing' | 'exists' | 'conflict' | 'full'

/** All uploaded documents by name, without their files. */
export async function listUploads(database: Database): Promise<Upload[]> {
  const uploads = (await DOCUMENTS.list(database)).flatMap((text) => uploadOf(text) ?? [])
  return uploads.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export async function readUpload(database: Database, id: string): Promise<Upload | undefined> {
  const text = await DOCUMENTS.read(database, id)
  return text && uploadOf(text)
}

function uploadOf({ id, name, draft, inForce }: ManagedText): Upload | undefined {
  if (name === null || !inForce) return undefined
  const { number: version, at: _, ...file } = versionOf(inForce)
  return { ...file, ...(JSON.parse(draft.text) as UploadFacts), id, name, revision: draft.revision, version, changedAt: draft.at }
}

function versionOf({ number, hash, text, at }: Publication): UploadVersion {
  return { ...(JSON.parse(text) as FileFacts), number, hash, at }
}

export async function listVersions(database: Database, id: string): Promise<UploadVersion[]> {
  return (await DOCUMENTS.publications(database, id)).map(versionOf)
}

export async function readVersion(database: Database, id: string, number: number): Promise<NewVersion | undefined> {
  const row = await selectVersion(database, id, number).select(['text', 'hash', 'document', 'bytes']).executeTakeFirst()
  if (!row?.bytes || row.document === null) return undefined
  return { ...(JSON.parse(row.text) as FileFacts), hash: row.hash, document: row.document, bytes: row.bytes }
}

/** The text of a version, `ExtractedDocument` as JSON. */
export async function readDocument(database: Database, id: string, number: number): Promise<string | undefined> {
  return (await selectVersion(database, id, number).select('document').executeTakeFirst())?.document ?? undefined
}

function selectVersion(database: Database, id: string, number: number) {
  return database.selectFrom('managed_versions').where('kind', '=', 'document').where('id', '=', id).where('number', '=', number)
}

/** Stores a new document. Returns why it can't be, if so. */
export function insertUpload(
  database: Database,
  { id, name, ...facts }: UploadFacts & { id: string; name: string },
  version: NewVersion,
  { room, by, at, record }: UploadAuthor & { room: UploadRoom },
): Promise<ChangeOutcome> {
  return inTransaction(database, async (transaction) => {
    const { count, bytes } = await usedRoom(transaction)
    if (count >= room.count || bytes + version.size > room.bytes) return 'full'
    const outcome = await DOCUMENTS.insert(transaction, { id, name, text: JSON.stringify(facts), by, at }, record)
    if (outcome !== 'inserted') return 'exists'
    await DOCUMENTS.publish(transaction, { ...publicationOf(version), id, revision: null, restores: null, by, at }, async () => undefined)
    return 'changed'
  })
}

/** Replaces the file of a document. Versions before the last ten are deleted. `restores`: the earlier version that has this file. */
export async function addVersion(
  database: Database,
  { id, base, by, at, record }: UploadChange,
  version: NewVersion,
  { room, restores = null }: { room: UploadRoom; restores?: number | null },
): Promise<ChangeOutcome> {
  let isFull = false
  const admit = async (transaction: Database) => {
    isFull = (await usedRoom(transaction)).bytes + version.size > room.bytes
    return isFull ? false : null
  }
  const publication = { ...publicationOf(version), id, revision: base, restores, by, at, admit }
  const number = await DOCUMENTS.publish(database, publication, record)
  return isFull ? 'full' : outcomeOf(database, id, number !== undefined)
}

/** Answers from an earlier version again, which becomes the newest one. */
export async function restoreVersion(database: Database, change: UploadChange, number: number, room: UploadRoom): Promise<ChangeOutcome> {
  const earlier = await readVersion(database, change.id, number)
  return earlier ? addVersion(database, change, earlier, { room, restores: number }) : 'missing'
}

export async function changeFacts(
  database: Database,
  { id, base, by, at, record }: UploadChange,
  facts: UploadFacts,
): Promise<ChangeOutcome> {
  return outcomeOf(database, id, await DOCUMENTS.saveDraft(database, { id, text: JSON.stringify(facts), basedOn: base, by, at }, record))
}

export async function deleteUpload(database: Database, { id, base, record }: UploadChange): Promise<ChangeOutcome> {
  return outcomeOf(database, id, await DOCUMENTS.deleteInForce(database, { id, basedOn: base }, record))
}

async function outcomeOf(database: Database, id: string, isChanged: boolean): Promise<ChangeOutcome> {
  if (isChanged) return 'changed'
  return (await DOCUMENTS.read(database, id)) ? 'conflict' : 'missing'
}

function publicationOf({ hash, document, bytes, ...facts }: NewVersion): Pick<NewPublication, 'text' | 'file'> {
  return { text: JSON.stringify(facts), file: { hash, document, bytes } }
}

async function usedRoom(database: Database): Promise<{ count: number; bytes: number }> {
  const row = await database
    .selectFrom('managed_versions')
    .select(({ fn }) => [fn.count('id').distinct().as('count'), sql<number | string | null>`sum(length(bytes))`.as('bytes')])
    .where('kind', '=', 'document')
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
}
