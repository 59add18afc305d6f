import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { SystemFacts } from '../../../contract/staff/status.ts'
import { stateOf } from '../../knowledge/websites/run-report.ts'
import type { Database } from '../../store/engine/database.ts'
import { countMigrations } from '../../store/engine/open-database.ts'
import { countRunningTurns, databaseBytes } from '../../store/visitors/installation-counts.ts'
import { readFact } from '../../store/engine/installation-facts.ts'
import { listSources } from '../../store/knowledge/sources.ts'

/** Reads facts about a migrated database and its disk, for `parley status` and the console. */
export async function readSystemFacts(database: Database, dataDirectory: string, now: number): Promise<SystemFacts> {
  return {
    migrations: await countMigrations(database),
    databaseBytes: await databaseBytes(database),
    freeBytes: await freeBytes(dataDirectory),
    runningTurns: await countRunningTurns(database),
    backup: { lastAt: await timeOf(database, 'last_backup'), rehearsedAt: await timeOf(database, 'last_rehearsal') },
    sources: (await listSources(database)).map((row) => ({ id: row.id, state: stateOf(row, now) })),
  }
}

async function timeOf(database: Database, fact: 'last_backup' | 'last_rehearsal'): Promise<string | null> {
  const time = await readFact(database, fact)
  return time === null ? null : new Date(Number(time)).toISOString()
}

export async function freeBytes(dataDirectory: string): Promise<number | null> {
  if (!existsSync(dataDirectory)) return null
  const { bavail, bsize } = await statfs(dataDirectory)
  return bavail * bsize
}
