import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { eraseOwned, eraseSessions } from './erasure.ts'

export type ErasedKind = 'chat' | 'visitor' | 'file' | 'device' | 'report' | 'consent'

/** A row that an erasure may have concerned. `owner` is the principal that it belongs to, `createdAt` milliseconds since the epoch. */
export interface ErasableRow {
  id: string
  owner: string | null
  createdAt: number
}

/** Where rows of a kind are, by `id` and `created_at` where nothing else is said. */
interface Place {
  table: keyof Schema
  id?: string
  owner?: string
  createdAt?: RawBuilder<number>
}

const PLACES: Readonly<Record<ErasedKind, Place>> = {
  chat: { table: 'sessions', owner: 'owner' },
  visitor: { table: 'visitors' },
  file: { table: 'waiting_files', owner: 'owner' },
  device: { table: 'visitor_keys', id: 'key_hash' },
  report: { table: 'reports' },
  consent: { table: 'accepted_notices', createdAt: sql`accepted_at` },
}

const PAGE_ROWS = 500

export async function* listErasable(database: Database, kind: ErasedKind): AsyncGenerator<ErasableRow[]> {
  const { table, id = 'id', owner, createdAt = sql`created_at` } = PLACES[kind]
  let after = ''
  for (;;) {
    const { rows } = await sql<ErasableRow>`
      select ${sql.ref(id)} as id, ${owner ? sql.ref(owner) : sql`null`} as owner, ${createdAt} as "createdAt"
      from ${sql.table(table)} where ${sql.ref(id)} > ${after} order by ${sql.ref(id)} limit ${PAGE_ROWS}
    `.execute(database)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)!.id
  }
}

/** Deletes these rows with all dependent ones. */
export async function eraseRows(database: Database, kind: ErasedKind, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  if (kind === 'chat') await eraseSessions(database, ids)
  else if (kind === 'visitor') for (const id of ids) await eraseOwned(database, id)
  else {
    const { table, id = 'id' } = PLACES[kind]
    await sql`delete from ${sql.table(table)} where ${sql.ref(id)} in (${sql.join(ids)})`.execute(database)
  }
}
