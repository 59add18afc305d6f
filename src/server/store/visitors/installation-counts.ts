import { sql } from 'kysely'
import { unrestricted } from './access.ts'
import { type Database, isEmbedded } from '../engine/database.ts'

export interface InstallationCounts {
  chats: number
  visitors: number
  runningTurns: number
  /** Processes that have a heartbeat. */
  processes: number
  databaseBytes: number
}

/** Counts what the database holds, for the operator. Reads whole indexes: not for requests. */
export async function countInstallation(database: Database): Promise<InstallationCounts> {
  const all = unrestricted(database)
  const count = async (query: Promise<{ count: number | string | bigint }>) => Number((await query).count)
  const ofAll = sql<number>`count(*)`.as('count')
  return {
    chats: await count(all.selectFrom('sessions').select(ofAll).executeTakeFirstOrThrow()),
    visitors: await count(all.selectFrom('visitors').select(ofAll).executeTakeFirstOrThrow()),
    runningTurns: await countRunningTurns(database),
    processes: await count(all.selectFrom('processes').select(ofAll).executeTakeFirstOrThrow()),
    databaseBytes: await databaseBytes(database),
  }
}

/** Chats under ids that clients chose, by the owner that `visitor-key.ts` derives. */
export async function countClientChats(database: Database): Promise<number> {
  const { count } = await unrestricted(database)
    .selectFrom('sessions')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner', 'like', 'c%')
    .executeTakeFirstOrThrow()
  return count
}

export async function countRunningTurns(database: Database): Promise<number> {
  const { count } = await unrestricted(database)
    .selectFrom('turns')
    .select(sql<number>`count(*)`.as('count'))
    .where('status', '=', sql.lit('running' as const))
    .executeTakeFirstOrThrow()
  return count
}

export async function databaseBytes(database: Database): Promise<number> {
  const size = isEmbedded(database)
    ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  return Number((await size.execute(database)).rows[0]?.bytes)
}
