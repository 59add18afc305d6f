import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { changesRows, countOf, type Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

export type SourceRow = Schema['sources']
export type SourcePage = Omit<Schema['source_pages'], 'source_id' | 'snapshot'>
/** The text of a page: title and sections, JSON. */
export type SourceText = Pick<Schema['source_texts'], 'hash' | 'document'>

const PAGE_COLUMNS = [
  'address',
  'state',
  'depth',
  'text_hash',
  'held_hash',
  'held_as_of',
  'held_kind',
  'rejected_hash',
  'characters',
  'as_of',
  'etag',
  'last_modified',
  'reason',
] as const
const BEYOND_LIMITS = 'It is beyond the limits of the source.'
/** Rows of one statement: few enough that nobody waits for it. */
const ROWS = 200

export async function addSource(database: Database, id: string): Promise<void> {
  await database
    .insertInto('sources')
    .values({ id, pinned: 0, lease_until: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export function listSources(database: Database): Promise<SourceRow[]> {
  return database.selectFrom('sources').selectAll().orderBy('id').execute()
}

export function readSource(database: Database, id: string): Promise<SourceRow | undefined> {
  return database.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Takes or renews the lease; `false` while another process has it. */
export async function leaseSource(
  database: Database,
  id: string,
  { holder, now, durationMs }: { holder: string; now: number; durationMs: number },
): Promise<boolean> {
  return changesRows(
    database
      .updateTable('sources')
      .set({ holder, lease_until: now + durationMs })
      .where('id', '=', id)
      .where((where) => where.or([where('holder', '=', holder), where('holder', 'is', null), where('lease_until', '<', now)])),
  )
}

export async function updateSource(database: Database, id: string, values: Partial<SourceRow>): Promise<void> {
  await database.updateTable('sources').set(values).where('id', '=', id).execute()
}

/** Records the end of a run and gives up the lease. */
export async function recordEnd(
  database: Database,
  id: string,
  { holder, now, report }: { holder: string; now: number; report: string | null },
): Promise<void> {
  await database
    .updateTable('sources')
    .set({ holder: null, lease_until: 0, ...(report !== null && { ended_at: now, report }) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

export function listSnapshots(database: Database, sourceId: string): Promise<Schema['source_snapshots'][]> {
  return database.selectFrom('source_snapshots').selectAll().where('source_id', '=', sourceId).orderBy('number', 'desc').execute()
}

export async function createSnapshot(
  database: Database,
  { sourceId, definitionHash, now }: { sourceId: string; definitionHash: string; now: number },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const last = await transaction
      .selectFrom('source_snapshots')
      .select((query) => query.fn.max('number').as('number'))
      .where('source_id', '=', sourceId)
      .executeTakeFirst()
    const number = (last?.number ?? 0) + 1
    await transaction
      .insertInto('source_snapshots')
      .values({ source_id: sourceId, number, state: 'building', definition_hash: definitionHash, hash: null, pages: 0, created_at: now })
      .execute()
    return number
  })
}

export async function* readPages(database: Database, sourceId: string, snapshot: number): AsyncGenerator<SourcePage[]> {
  for (let after = ''; ; ) {
    const rows = await database
      .selectFrom('source_pages')
      .select(PAGE_COLUMNS)
      .where('source_id', '=', sourceId)
      .where('snapshot', '=', snapshot)
      .where('address', '>', after)
      .orderBy('address')
      .limit(ROWS)
      .execute()
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < ROWS) return
    after = last.address
  }
}

/**
 * The first pages that don't answer, or only with an earlier text, by address: of the newest snapshot that is complete, since one that is
 * being read has seen only some pages; of that one before there is another.
 */
export async function listMissingPages(database: Database, sourceId: string, limit: number): Promise<SourcePage[]> {
  const snapshots = await listSnapshots(database, sourceId)
  const newest = snapshots.find(({ state }) => state !== 'building') ?? snapshots[0]
  return database
    .selectFrom('source_pages')
    .select(PAGE_COLUMNS)
    .where('source_id', '=', sourceId)
    .where('snapshot', '=', newest?.number ?? 0)
    .where('state', 'in', ['skipped', 'failed', 'held', 'gone'])
    .orderBy('address')
    .limit(limit)
    .execute()
}

/** Stores pages of a snapshot with their new texts, or replaces them. */
export async function writePages(
  database: Database,
  { sourceId, snapshot }: { sourceId: string; snapshot: number },
  pages: readonly SourcePage[],
  texts: readonly SourceText[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (texts.length > 0)
      await transaction
        .insertInto('source_texts')
        .values(texts.map(({ hash, document }) => ({ source_id: sourceId, hash, document })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (let start = 0; start < pages.length; start += ROWS)
      await transaction
        .insertInto('source_pages')
        .values(pages.slice(start, start + ROWS).map((page) => ({ source_id: sourceId, snapshot, ...page })))
        .onConflict((conflict) =>
          conflict
            .columns(['source_id', 'snapshot', 'address'])
            .doUpdateSet((set) => Object.fromEntries(PAGE_COLUMNS.map((name) => [name, set.ref(`excluded.${name}`)]))),
        )
        .execute()
  })
}

export async function readTexts(
  database: Database,
  sourceId: string,
  given: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const hashes = given.filter((hash) => typeof hash === 'string')
  if (hashes.length === 0) return new Map()
  const rows = await database
    .selectFrom('source_texts')
    .select(['hash', 'document'])
    .where('source_id', '=', sourceId)
    .where('hash', 'in', hashes)
    .execute()
  return new Map(rows.map(({ hash, document }) => [hash, document]))
}

interface Completion {
  sourceId: string
  number: number
  state: 'complete' | 'quarantined'
  /** Called in the transaction that puts it into force. */
  record?: (transaction: Database) => Promise<void>
}

/** Ends the building of a snapshot: computes its hash and puts it into force unless it is quarantined. */
export async function completeSnapshot(
  database: Database,
  { sourceId, number, state, record }: Completion,
): Promise<{ hash: string; pages: number }> {
  const hash = createHash('sha256')
  let pages = 0
  for await (const part of readPages(database, sourceId, number)) {
    for (const { address, text_hash: text, as_of: asOf } of part) {
      if (text === null) continue
      pages += 1
      hash.update(`${address}\n${text}\n${asOf ?? ''}\n`)
    }
    await nextTurn()
  }
  const digest = hash.digest('hex')
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('source_pages')
      .set({ state: 'skipped', reason: BEYOND_LIMITS })
      .where('source_id', '=', sourceId)
      .where('snapshot', '=', number)
      .where('state', '=', 'queued')
      .execute()
    await transaction
      .updateTable('source_snapshots')
      .set({ state, hash: digest, pages })
      .where('source_id', '=', sourceId)
      .where('number', '=', number)
      .execute()
    if (state === 'complete') await updateSource(transaction, sourceId, { active: number })
    await record?.(transaction)
  })
  return { hash: digest, pages }
}

/** Answers from this snapshot. While it is pinned, those after it wait for staff. */
export async function activateSnapshot(database: Database, sourceId: string, number: number, isPinned: boolean): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('source_snapshots')
      .set({ state: 'complete' })
      .where('source_id', '=', sourceId)
      .where('number', '=', number)
      .execute()
    await updateSource(transaction, sourceId, { active: number, pinned: isPinned ? 1 : 0 })
  })
}

/** Deletes a snapshot, some pages at a time. Texts stay until `deleteUnusedTexts`. */
export async function deleteSnapshot(database: Database, sourceId: string, number: number): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await database
      .deleteFrom('source_pages')
      .where('source_id', '=', sourceId)
      .where('snapshot', '=', number)
      .where('address', 'in', ({ selectFrom }) =>
        selectFrom('source_pages').select('address').where('source_id', '=', sourceId).where('snapshot', '=', number).limit(ROWS),
      )
      .executeTakeFirst()
    if (numDeletedRows < BigInt(ROWS)) break
    await nextTurn()
  }
  await database.deleteFrom('source_snapshots').where('source_id', '=', sourceId).where('number', '=', number).execute()
}

/** Deletes texts that no snapshot names, some at a time. */
export async function deleteUnusedTexts(database: Database, sourceId: string): Promise<void> {
  const { rows } = await sql<{ hash: string }>`
    select distinct text_hash as hash from source_pages where source_id = ${sourceId} and text_hash is not null
    union select distinct held_hash from source_pages where source_id = ${sourceId} and held_hash is not null`.execute(database)
  const used = new Set(rows.map(({ hash }) => hash))
  const stored = await database.selectFrom('source_texts').select('hash').where('source_id', '=', sourceId).execute()
  const unused = stored.map(({ hash }) => hash).filter((hash) => !used.has(hash))
  for (let start = 0; start < unused.length; start += ROWS) {
    await database
      .deleteFrom('source_texts')
      .where('source_id', '=', sourceId)
      .where('hash', 'in', unused.slice(start, start + ROWS))
      .execute()
    await nextTurn()
  }
}

export async function deleteSource(database: Database, id: string): Promise<void> {
  for (const { number } of await listSnapshots(database, id)) await deleteSnapshot(database, id, number)
  await deleteUnusedTexts(database, id)
  await database.deleteFrom('sources').where('id', '=', id).execute()
}

/** Decisions about websites that wait for staff: held pages that answer as before, and snapshots that are held as a whole. */
export async function countHeld(database: Database): Promise<number> {
  let count = 0
  for (const { id, active } of await listSources(database)) {
    const snapshots = await listSnapshots(database, id)
    if (snapshots.some(({ state, number }) => state === 'quarantined' && number > (active ?? 0))) count += 1
    else if (active !== null) count += await heldPageCount(database, id, active)
  }
  return count
}

/** Pages of a snapshot about which staff have to decide. */
export function heldPageCount(database: Database, sourceId: string, snapshot: number): Promise<number> {
  return countOf(
    database
      .selectFrom('source_pages')
      .where('source_id', '=', sourceId)
      .where('snapshot', '=', snapshot)
      .where(({ eb, or }) => or([eb('held_hash', 'is not', null), eb('held_kind', 'is not', null)])),
  )
}
