import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

/** A stored entry. `schema.ts` documents the columns. */
export interface AuditRow {
  number: number
  at: number
  actor: string
  action: string
  target: string | null
  hash: string
}

const HEAD = 'audit_head'

/**
 * Appends the row that `next` makes from the last one, and stores `head` with it. Belongs into the transaction of the change that it
 * records; other appends wait until that ends.
 */
export async function appendAuditRow(
  transaction: Database,
  next: (last: AuditRow | undefined) => { row: AuditRow; head: string },
): Promise<void> {
  // The update locks the row on PostgreSQL; SQLite has one writer.
  await transaction
    .insertInto('installation_facts')
    .values({ name: HEAD, value: '' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql<string>`installation_facts.value` }))
    .execute()
  const last = await transaction.selectFrom('audit_log').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
  const { row, head } = next(last)
  await transaction.insertInto('audit_log').values(row).execute()
  await transaction.updateTable('installation_facts').set({ value: head }).where('name', '=', HEAD).execute()
}

/** The next rows after a number, oldest first. */
export async function readAuditRows(database: Database, after: number, limit: number): Promise<AuditRow[]> {
  return database.selectFrom('audit_log').selectAll().where('number', '>', after).orderBy('number').limit(limit).execute()
}

export interface AuditFilter {
  /** Only rows before this number. */
  before?: number | undefined
  /** Only actions that begin with it and a full stop; letters and hyphens. */
  area?: string | undefined
  /** Only this action. */
  action?: string | undefined
  actor?: string | undefined
}

/** The newest rows that a filter lets through, newest first. */
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

/** Head stored by the last append; `null` before the first. */
export async function readAuditHead(database: Database): Promise<string | null> {
  const fact = await database.selectFrom('installation_facts').select('value').where('name', '=', HEAD).executeTakeFirst()
  return fact?.value ?? null
}
