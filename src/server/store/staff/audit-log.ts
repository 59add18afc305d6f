import { sql } from 'kysely'
import { countOf, type Database, inTransaction } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Records a change in its transaction. */
export type RecordChange = (transaction: Database) => Promise<void>

/** Makes a change and records it, in one transaction. `false` if there is nothing to change, which isn't recorded. */
export function changeAndRecord(
  database: Database,
  change: (transaction: Database) => Promise<boolean>,
  record: RecordChange,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const isChanged = await change(transaction)
    if (isChanged) await record(transaction)
    return isChanged
  })
}

/** A stored entry. */
export type AuditRow = Schema['audit_log']

const HEAD = 'audit_head'

/** Appends the row that `next` makes from the last one, in the transaction of the change. Other appends wait until that ends. */
export async function appendAuditRow(
  transaction: Database,
  next: (last: AuditRow | undefined) => { row: AuditRow; head: string },
): Promise<void> {
  const { row, head } = next(await lockAuditLog(transaction))
  await transaction.insertInto('audit_log').values(row).execute()
  await transaction.updateTable('installation_facts').set({ value: head }).where('name', '=', HEAD).execute()
}

/** Makes other appends wait for the end of the transaction. Returns the newest row. */
export async function lockAuditLog(transaction: Database): Promise<AuditRow | undefined> {
  // The update locks the row on PostgreSQL; SQLite has one writer.
  await transaction
    .insertInto('installation_facts')
    .values({ name: HEAD, value: '' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql<string>`installation_facts.value` }))
    .execute()
  return readNewestAuditRow(transaction)
}

export async function readNewestAuditRow(database: Database): Promise<AuditRow | undefined> {
  return (await readNewestAuditRows(database, {}, 1))[0]
}

export async function hasAuditRow(database: Database, { action, target }: Pick<AuditRow, 'action' | 'target'>): Promise<boolean> {
  return (await countOf(database.selectFrom('audit_log').where('action', '=', action).where('target', '=', target))) > 0
}

/** Ids of the staff, and what is in force by a change of theirs, each with the area of its actions and the target that the log hashes. */
export async function readInForce(database: Database): Promise<{ staff: string[]; changes: { area: string; target: string }[] }> {
  const staff = await database.selectFrom('staff').select('id').execute()
  const stops = await database.selectFrom('stops').select('id').execute()
  const texts = await database
    .selectFrom('managed_texts as texts')
    .innerJoin('managed_versions as versions', (join) =>
      join.onRef('versions.kind', '=', 'texts.kind').onRef('versions.id', '=', 'texts.id').onRef('versions.number', '=', 'texts.published'),
    )
    .select(['texts.kind', 'texts.id', 'versions.hash'])
    .execute()
  return {
    staff: staff.map(({ id }) => id),
    changes: [
      ...stops.map(({ id }) => ({ area: 'stop', target: id })),
      ...texts.map(({ kind, id, hash }) =>
        kind === 'document' ? { area: kind, target: id } : { area: kind === 'agent' ? kind : 'approved', target: `${id} ${hash}` },
      ),
    ],
  }
}

export async function readAuditRows(database: Database, after: number, limit: number): Promise<AuditRow[]> {
  return database.selectFrom('audit_log').selectAll().where('number', '>', after).orderBy('number').limit(limit).execute()
}

export interface AuditFilter {
  before?: number | undefined
  /** Only actions that begin with it and a full stop; letters and hyphens. */
  area?: string | undefined
  action?: string | undefined
  actor?: string | undefined
}

export async function readNewestAuditRows(
  database: Database,
  { before, area, action, actor }: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  let query = database.selectFrom('audit_log').selectAll()
  if (before !== undefined) query = query.where('number', '<', before)
  if (area !== undefined) query = query.where('action', 'like', `${area}.%`)
  if (action !== undefined) query = query.where('action', '=', action)
  if (actor !== undefined) query = query.where('actor', '=', actor)
  return query.orderBy('number', 'desc').limit(limit).execute()
}

export async function readAuditHead(database: Database): Promise<string | null> {
  const fact = await database.selectFrom('installation_facts').select('value').where('name', '=', HEAD).executeTakeFirst()
  return fact?.value ?? null
}
