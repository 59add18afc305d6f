import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

/** A process with running turns, and its last heartbeat; `null` before its first. */
export interface RunningProcess {
  instance: string
  heartbeat: number | null
}

export async function recordHeartbeat(database: Database, instance: string): Promise<void> {
  await database
    .insertInto('processes')
    .values({ id: instance, heartbeat: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat: sql<number>`processes.heartbeat + 1` }))
    .execute()
}

export async function listRunningProcesses(database: Database): Promise<RunningProcess[]> {
  const running = database.selectFrom('turns').select('instance').distinct().where('status', '=', runningStatus).as('running')
  return database
    .selectFrom(running)
    .leftJoin('processes', 'processes.id', 'running.instance')
    .select(['running.instance', 'processes.heartbeat'])
    .execute()
}

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

/** Deletes processes without running turns; a live one returns with its next heartbeat. */
export async function deleteIdleProcesses(database: Database): Promise<void> {
  await database
    .deleteFrom('processes')
    .where('id', 'not in', database.selectFrom('turns').select('instance').where('status', '=', runningStatus))
    .execute()
}

// A literal, since SQLite uses the index over running turns for no parameter.
const runningStatus = sql.lit('running' as const)
