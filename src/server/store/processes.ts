import { sql } from 'kysely'
import type { Database } from './database.ts'

/** A process that runs turns, and its beat when it was last read; null for one that has never said that it lives. */
export interface RunningProcess {
  instance: string
  beat: number | null
}

/** Counts the beat of a process up by one. */
export async function beatProcess(database: Database, instance: string): Promise<void> {
  await database
    .insertInto('processes')
    .values({ id: instance, beat: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ beat: sql<number>`processes.beat + 1` }))
    .execute()
}

/** The processes that have turns running, by what the database says. */
export async function listRunningProcesses(database: Database): Promise<RunningProcess[]> {
  const running = database.selectFrom('turns').select('instance').distinct().where('status', '=', runningStatus).as('running')
  return database
    .selectFrom(running)
    .leftJoin('processes', 'processes.id', 'running.instance')
    .select(['running.instance', 'processes.beat'])
    .execute()
}

/** Up to `limit` running turns of a process. */
export async function listRunningTurns(database: Database, instance: string, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom('turns')
    .select('id')
    .where('status', '=', runningStatus)
    .where('instance', '=', instance)
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Forgets processes that have no turn running; one that lives comes back with its next beat. */
export async function forgetProcesses(database: Database): Promise<void> {
  await database
    .deleteFrom('processes')
    .where('id', 'not in', database.selectFrom('turns').select('instance').where('status', '=', runningStatus))
    .execute()
}

// A literal, since SQLite uses the index over running turns for no parameter.
const runningStatus = sql.lit('running' as const)
