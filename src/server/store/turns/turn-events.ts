import { sql } from 'kysely'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { type Database, isEmbedded } from '../engine/database.ts'

/** Consecutive events of a turn. `chunks` is a JSON array with one chunk per number. */
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

/** Rows per read; fewer if they are long. */
const MAX_ROWS_A_READ = 200

/** Turns without stored rows: permanently, because they ended or run elsewhere, or for now, because they are being ended. */
export interface UnstoredTurns {
  gone: Set<string>
  locked: Set<string>
}

/**
 * Stores rows of several turns in one statement, at most one per turn, if `instance` runs it.
 * An existing row stays or is replaced by a longer one, so an uncertain write can be repeated with newer events
 * appended.
 */
export async function insertTurnEvents(database: Database, instance: string, rows: TurnEventRow[]): Promise<UnstoredTurns> {
  const values = rows.map(
    (row) => sql`(${row.turnId}, cast(${row.firstSeq} as integer), cast(${row.lastSeq} as integer), cast(${row.chunks} as text))`,
  )
  const { rows: inserted } = await sql<{ turn_id: string }>`
    with events (turn_id, first_seq, last_seq, chunks) as (values ${sql.join(values)})
    insert into turn_events (turn_id, first_seq, last_seq, chunks)
    select events.turn_id, events.first_seq, events.last_seq, events.chunks
    from events join turns on turns.id = events.turn_id
    where turns.status = 'running' and turns.instance = ${instance} ${unlessBeingEnded(database)}
    on conflict (turn_id, first_seq) do update set last_seq = excluded.last_seq, chunks = excluded.chunks
    where turn_events.last_seq < excluded.last_seq
    returning turn_id`.execute(database)
  const stored = new Set(inserted.map((row) => row.turn_id))
  const others = rows.filter(({ turnId }) => !stored.has(turnId))
  return others.length === 0 ? { gone: new Set(), locked: new Set() } : notStored(database, instance, others)
}

/** Classifies rows that a statement did not store: already stored, turn gone, or turn locked. */
async function notStored(database: Database, instance: string, rows: TurnEventRow[]): Promise<UnstoredTurns> {
  const running = await database
    .selectFrom('turns')
    .leftJoin('turn_events', 'turn_events.turn_id', 'turns.id')
    .select(({ fn }) => ['turns.id', fn.max('turn_events.last_seq').as('last_seq')])
    .where(
      'turns.id',
      'in',
      rows.map((row) => row.turnId),
    )
    .where('turns.status', '=', 'running')
    .where('turns.instance', '=', instance)
    .groupBy('turns.id')
    .execute()
  const lastSeqs = new Map(running.map((row) => [row.id, row.last_seq ?? 0]))
  const gone = rows.filter((row) => !lastSeqs.has(row.turnId))
  const locked = rows.filter((row) => (lastSeqs.get(row.turnId) ?? Number.POSITIVE_INFINITY) < row.lastSeq)
  return { gone: new Set(gone.map((row) => row.turnId)), locked: new Set(locked.map((row) => row.turnId)) }
}

/** Events of a turn after number `after`, in order, about `maxCharacters`, at least one if any. */
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

export async function listChunks(database: Database, turnId: string): Promise<ChatChunk[]> {
  const rows = await database.selectFrom('turn_events').select('chunks').where('turn_id', '=', turnId).orderBy('first_seq').execute()
  return rows.flatMap((row) => JSON.parse(row.chunks) as ChatChunk[])
}

/** Deletes the events of a turn whose answer is stored. */
export async function deleteTurnEvents(database: Database, turnId: string): Promise<void> {
  await database.deleteFrom('turn_events').where('turn_id', '=', turnId).execute()
}

function eventsOfRow(row: { first_seq: number; chunks: string }): TurnEvent[] {
  const chunks = JSON.parse(row.chunks) as ChatChunk[]
  return chunks.map((chunk, index) => ({ seq: row.first_seq + index, json: JSON.stringify(chunk) }))
}

/**
 * On PostgreSQL, skips turns that are being ended concurrently, possibly by a dead connection, so they don't block the
 * others. SQLite has a single writer.
 */
function unlessBeingEnded(database: Database) {
  return isEmbedded(database) ? sql`` : sql`for share of turns skip locked`
}
