import { PostgresAdapter, sql } from 'kysely'
import type { ChatChunk } from '../../contract/message.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

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

/** Turns of which nothing was stored: for good, since they have ended or run elsewhere; or for now, since they are just being ended. */
export interface NotStored {
  gone: Set<string>
  locked: Set<string>
}

/**
 * Stores rows of any number of turns in one statement, at most one of each turn, if `instance` runs it.
 * A row that is stored already is left as it is, or replaced by a longer one: who does not know whether a write has happened
 * repeats it with what has come since.
 */
export async function insertTurnEvents(database: Database, instance: string, rows: TurnEventRow[]): Promise<NotStored> {
  const [row] = rows
  const stored = rows.length === 1 && row ? await insertRow(database, instance, row) : await insertRows(database, instance, rows)
  const others = rows.filter(({ turnId }) => !stored.has(turnId))
  return others.length === 0 ? { gone: new Set(), locked: new Set() } : notStored(database, instance, others)
}

/** The row of one turn, as first words come: SQLite takes twice as long for a list of one. Returns its turn if it was stored. */
async function insertRow(database: Database, instance: string, row: TurnEventRow): Promise<Set<string>> {
  const { changed } = await insertOne(database, { ...row, instance })
  return new Set(changed === 1 ? [row.turnId] : [])
}

const insertOne = prepared<TurnEventRow & { instance: string }>((database, { turnId, firstSeq, lastSeq, chunks, instance }) => ({
  compile: () =>
    sql`
    insert into turn_events (turn_id, first_seq, last_seq, chunks)
    select id, cast(${firstSeq} as integer), cast(${lastSeq} as integer), cast(${chunks} as text) from turns
    where id = ${turnId} and status = 'running' and instance = ${instance} ${unlessBeingEnded(database)}
    ${orTheLonger}`.compile(database),
}))

const orTheLonger = sql`
    on conflict (turn_id, first_seq) do update set last_seq = excluded.last_seq, chunks = excluded.chunks
    where turn_events.last_seq < excluded.last_seq`

async function insertRows(database: Database, instance: string, rows: TurnEventRow[]): Promise<Set<string>> {
  const values = rows.map(
    (row) => sql`(${row.turnId}, cast(${row.firstSeq} as integer), cast(${row.lastSeq} as integer), cast(${row.chunks} as text))`,
  )
  const { rows: stored } = await sql<{ turn_id: string }>`
    with events (turn_id, first_seq, last_seq, chunks) as (values ${sql.join(values)})
    insert into turn_events (turn_id, first_seq, last_seq, chunks)
    select events.turn_id, events.first_seq, events.last_seq, events.chunks
    from events join turns on turns.id = events.turn_id
    where turns.status = 'running' and turns.instance = ${instance} ${unlessBeingEnded(database)}
    ${orTheLonger}
    returning turn_id`.execute(database)
  return new Set(stored.map((row) => row.turn_id))
}

/** What became of rows that a statement did not store: they were there already, or their turns are gone or locked. */
async function notStored(database: Database, instance: string, rows: TurnEventRow[]): Promise<NotStored> {
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
  await deleteEvents(database, { turnId })
}

const deleteEvents = prepared((database, { turnId }: { turnId: string }) =>
  database.deleteFrom('turn_events').where('turn_id', '=', turnId),
)

function eventsOfRow(row: { first_seq: number; chunks: string }): TurnEvent[] {
  const chunks = JSON.parse(row.chunks) as ChatChunk[]
  return chunks.map((chunk, index) => ({ seq: row.first_seq + index, json: JSON.stringify(chunk) }))
}

/**
 * On PostgreSQL a turn could end, elsewhere, while this writes; and one that is being ended, perhaps by a connection that has died,
 * must not hold up the others. SQLite has one writer at a time.
 */
function unlessBeingEnded(database: Database) {
  return database.getExecutor().adapter instanceof PostgresAdapter ? sql`for share of turns skip locked` : sql``
}
