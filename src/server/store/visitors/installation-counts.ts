import { sql } from 'kysely'
import { unrestricted } from './access.ts'
import { countOf, type Database, isEmbedded } from '../engine/database.ts'

export interface InstallationCounts {
  chats: number
  /** Visitors who have chats. */
  visitors: number
}

/** Counts what the database holds, for the operator. Reads whole indexes: not for requests. */
export async function countInstallation(database: Database): Promise<InstallationCounts> {
  const { chats, visitors } = await unrestricted(database)
    .selectFrom('sessions')
    .select(({ fn }) => [fn.countAll().as('chats'), fn.count('owner').distinct().as('visitors')])
    .executeTakeFirstOrThrow()
  return { chats: Number(chats), visitors: Number(visitors) }
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
