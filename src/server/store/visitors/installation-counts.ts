import { sql } from 'kysely'
import { unrestricted } from './access.ts'
import { countOf, type Database, isEmbedded } from '../engine/database.ts'

export interface InstallationCounts {
  chats: number
  visitors: number
  /** Processes that have a heartbeat. */
  processes: number
}

/** Counts what the database holds, for the operator. Reads whole indexes: not for requests. */
export async function countInstallation(database: Database): Promise<InstallationCounts> {
  return {
    chats: await countOf(unrestricted(database).selectFrom('sessions')),
    visitors: await countOf(database.selectFrom('visitors')),
    processes: await countOf(database.selectFrom('processes')),
  }
}

/** Chats under ids that clients chose, by the owner that `visitor-key.ts` derives. */
export function countClientChats(database: Database): Promise<number> {
  return countOf(unrestricted(database).selectFrom('sessions').where('owner', 'like', 'c%'))
}

export function countRunningTurns(database: Database): Promise<number> {
  return countOf(database.selectFrom('turns').where('status', '=', sql.lit('running' as const)))
}

export async function databaseBytes(database: Database): Promise<number> {
  const size = isEmbedded(database)
    ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
  return Number((await size.execute(database)).rows[0]?.bytes)
}
