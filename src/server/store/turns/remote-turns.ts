import { sql } from 'kysely'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { Database } from '../engine/database.ts'

/** Events of a turn after a position, as many as fit, with a consistent `isRunning`. */
export interface TurnProgress {
  isRunning: boolean
  chunks: ChatChunk[]
}

/** Approximate limit of one read over all turns, in characters of JSON. */
const MAX_CHARACTERS_A_READ = 512 * 1024
const MAX_ROWS_A_READ = 1_000

/** New events of running turns in one query; `isWhole` if there are no more. Missing turns are omitted. */
export async function readProgress(
  database: Database,
  positions: { turnId: string; after: number }[],
): Promise<{ progress: Map<string, TurnProgress>; isWhole: boolean }> {
  const values = positions.map(({ turnId, after }) => sql`(${turnId}, cast(${after} as integer))`)
  const { rows } = await sql<{ turn_id: string; status: string; first_seq: number | null; chunks: string | null }>`
    with followed (turn_id, seq) as (values ${sql.join(values)}),
    sized as (
      select turn_events.turn_id, turn_events.first_seq, turn_events.chunks,
        sum(length(turn_events.chunks)) over (order by turn_events.first_seq, turn_events.turn_id) as size_until_here
      from followed join turn_events on turn_events.turn_id = followed.turn_id and turn_events.last_seq > followed.seq
      order by turn_events.first_seq, turn_events.turn_id limit ${sql.lit(MAX_ROWS_A_READ)}
    )
    select turns.id as turn_id, turns.status, sized.first_seq, sized.chunks
    from followed join turns on turns.id = followed.turn_id
    left join sized on sized.turn_id = turns.id and sized.size_until_here - length(sized.chunks) < ${sql.lit(MAX_CHARACTERS_A_READ)}
    order by sized.first_seq`.execute(database)
  const after = new Map(positions.map((position) => [position.turnId, position.after]))
  const progress = new Map<string, TurnProgress>()
  let characters = 0
  for (const { turn_id: turnId, status, first_seq: firstSeq, chunks } of rows) {
    const of = progress.get(turnId) ?? { isRunning: status === 'running', chunks: [] }
    progress.set(turnId, of)
    if (firstSeq === null || chunks === null) continue
    // A row may start before the position, if a longer one replaced it.
    const known = Math.max(0, (after.get(turnId) ?? 0) + of.chunks.length + 1 - firstSeq)
    characters += chunks.length
    of.chunks.push(...(JSON.parse(chunks) as ChatChunk[]).slice(known))
  }
  return { progress, isWhole: characters < MAX_CHARACTERS_A_READ && rows.length < MAX_ROWS_A_READ }
}

export async function requestStop(database: Database, turnId: string): Promise<void> {
  await database.updateTable('turns').set({ stop_requested: 1 }).where('id', '=', turnId).where('status', '=', 'running').execute()
}

export async function listStopRequests(database: Database, instance: string): Promise<string[]> {
  const rows = await database
    .selectFrom('turns')
    .select('id')
    // A literal, since SQLite uses the index over running turns for no parameter.
    .where('status', '=', sql.lit('running' as const))
    .where('stop_requested', '=', 1)
    .where('instance', '=', instance)
    .execute()
  return rows.map((row) => row.id)
}
