import { PostgresAdapter, sql } from 'kysely'
import type { ChatChunk } from '../../contract/message.ts'
import type { Database } from './database.ts'

/** Consecutive events of one turn, as they are stored. `chunks` is a JSON array, one chunk for each number. */
export interface TurnEventRow {
  turnId: string
  firstSeq: number
  lastSeq: number
  chunks: string
}

/** One event of a turn: its number, from 1 without gaps, and its chunk as JSON. */
export interface TurnEvent {
  seq: number
  json: string
}

/** Rows that one read looks at; it returns fewer when they are long. */
const MAX_ROWS_A_READ = 200

/**
 * Stores rows of any number of turns in one statement, and returns the turns that `instance` does not run any more:
 * of those nothing is stored. Rows that are stored already are left as they are, or replaced by longer ones:
 * who does not know whether a write has happened repeats it with what has come since.
 */
export async function insertTurnEvents(database: Database, instance: string, rows: TurnEventRow[]): Promise<Set<string>> {
  const values = rows.map(
    (row) => sql`(${row.turnId}, cast(${row.firstSeq} as integer), cast(${row.lastSeq} as integer), cast(${row.chunks} as text))`,
  )
  const { rows: stored } = await sql<{ turn_id: string }>`
    with events (turn_id, first_seq, last_seq, chunks) as (values ${sql.join(values)})
    insert into turn_events (turn_id, first_seq, last_seq, chunks)
    select events.turn_id, events.first_seq, events.last_seq, events.chunks
    from events join turns on turns.id = events.turn_id
    where turns.status = 'running' and turns.instance = ${instance} ${untilTheTurnEnds(database)}
    on conflict (turn_id, first_seq) do update set last_seq = excluded.last_seq, chunks = excluded.chunks
    where turn_events.last_seq < excluded.last_seq
    returning turn_id`.execute(database)
  const missing = new Set(rows.map((row) => row.turnId))
  for (const { turn_id } of stored) missing.delete(turn_id)
  if (missing.size === 0) return missing
  const running = await database
    .selectFrom('turns')
    .select('id')
    .where('id', 'in', [...missing])
    .where('status', '=', 'running')
    .where('instance', '=', instance)
    .execute()
  for (const { id } of running) missing.delete(id)
  return missing
}

/** The events of a turn after number `after`, in order, about `maxCharacters` of them; at least one, if there is one. */
export async function listTurnEvents(database: Database, turnId: string, after: number, maxCharacters: number): Promise<TurnEvent[]> {
  const sized = database
    .selectFrom('turn_events')
    .select(['first_seq', 'chunks'])
    .select(sql<number>`sum(length(chunks)) over (order by first_seq)`.as('size_until_here'))
    .where('turn_id', '=', turnId)
    .where('last_seq', '>', after)
    .orderBy('first_seq')
    .limit(MAX_ROWS_A_READ)
    .as('sized')
  const rows = await database
    .selectFrom(sized)
    .select(['first_seq', 'chunks'])
    .where(sql<number>`size_until_here - length(chunks)`, '<', maxCharacters)
    .orderBy('first_seq')
    .execute()
  return rows.flatMap(eventsOfRow).filter((event) => event.seq > after)
}

/** Everything that a turn has said so far. */
export async function listChunks(database: Database, turnId: string): Promise<ChatChunk[]> {
  const rows = await database.selectFrom('turn_events').select('chunks').where('turn_id', '=', turnId).orderBy('first_seq').execute()
  return rows.flatMap((row) => JSON.parse(row.chunks) as ChatChunk[])
}

export async function deleteTurnEvents(database: Database, turnId: string): Promise<void> {
  await database.deleteFrom('turn_events').where('turn_id', '=', turnId).execute()
}

function eventsOfRow(row: { first_seq: number; chunks: string }): TurnEvent[] {
  const chunks = JSON.parse(row.chunks) as ChatChunk[]
  return chunks.map((chunk, index) => ({ seq: row.first_seq + index, json: JSON.stringify(chunk) }))
}

/** On PostgreSQL a turn could end, elsewhere, while this writes; SQLite has one writer at a time. */
function untilTheTurnEnds(database: Database) {
  return database.getExecutor().adapter instanceof PostgresAdapter ? sql`for share of turns` : sql``
}
