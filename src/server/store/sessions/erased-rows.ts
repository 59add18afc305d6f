import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import { eraseOwned, eraseSessions } from './erasure.ts'

export type ErasedKind = 'chat' | 'visitor' | 'file' | 'share' | 'device' | 'report' | 'consent'

/** A row that an erasure may have concerned. `owner` is the principal that it belongs to, `createdAt` milliseconds since the epoch. */
export interface ErasableRow {
  id: string
  owner: string | null
  createdAt: number
}

const PAGE_ROWS = 500

export async function* listErasable(database: Database, kind: ErasedKind): AsyncGenerator<ErasableRow[]> {
  let after = ''
  for (;;) {
    const rows = await readPage(database, kind, after)
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
  else if (kind === 'device') await database.deleteFrom('visitor_keys').where('key_hash', 'in', ids).execute()
  else
    await database
      .deleteFrom(({ file: 'waiting_files', share: 'shares', report: 'reports', consent: 'accepted_notices' } as const)[kind])
      .where('id', 'in', ids)
      .execute()
}

function readPage(database: Database, kind: ErasedKind, after: string): Promise<ErasableRow[]> {
  const none = sql<string | null>`null`.as('owner')
  const page = { chat: chats, visitor: visitors, file: files, share: shares, device: devices, report: reports, consent: acceptances }[kind]
  return page().execute()

  function chats() {
    // An imported chat carries the time of its original.
    const createdAt = sql<number>`case when imported_at > created_at then imported_at else created_at end`.as('createdAt')
    return unrestricted(database)
      .selectFrom('sessions')
      .select(['id', 'owner', createdAt])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
  }
  function visitors() {
    return database
      .selectFrom('visitors')
      .select(['id', none, 'created_at as createdAt'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
  }
  function files() {
    return database
      .selectFrom('waiting_files')
      .select(['id', 'owner', 'created_at as createdAt'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
  }
  function devices() {
    return database
      .selectFrom('visitor_keys')
      .select(['key_hash as id', none, 'created_at as createdAt'])
      .where('key_hash', '>', after)
      .orderBy('key_hash')
      .limit(PAGE_ROWS)
  }
  function reports() {
    return database
      .selectFrom('reports')
      .select(['id', none, 'created_at as createdAt'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
  }
  function acceptances() {
    return database
      .selectFrom('accepted_notices')
      .select(['id', none, 'accepted_at as createdAt'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
  }
  function shares() {
    return database
      .selectFrom('shares')
      .select(['id', none, 'created_at as createdAt'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
  }
}
