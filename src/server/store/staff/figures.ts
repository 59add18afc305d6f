import { sql } from 'kysely'
import { MIN_SHOWN } from '../../../contract/staff/figures.ts'
import type { Database } from '../engine/database.ts'
import {
  FIGURE_DIMENSIONS,
  type FigureCounts,
  type FigureDimension,
  type FiguresSchema,
  type TopicsOutcome,
} from '../engine/schema/figures-schema.ts'

export type DailyFigure = FiguresSchema['daily_figures']
export type DailyVisitor = Omit<FiguresSchema['daily_visitors'], 'day'>

export const NO_COUNTS: Readonly<FigureCounts> = {
  turns: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost: 0,
  complete: 0,
  lost: 0,
  not_covered: 0,
  up: 0,
  down: 0,
}
export const COUNT_NAMES = Object.keys(NO_COUNTS) as (keyof FigureCounts)[]

/** Rows a statement: SQLite allows 32,766 parameters. */
const ROWS_A_STATEMENT = 500

/**
 * Slots in place of a day: what is counted in one is published together, once enough visitors on enough networks have added to it. Ratings
 * have a slot of their own, so that what is published of them is of as many raters.
 */
export const OPEN_SLOTS = { turns: { day: 'open-turns', bit: 1 }, ratings: { day: 'open-ratings', bit: 2 } } as const
export type OpenSlot = keyof typeof OPEN_SLOTS

export interface NewFigures {
  figures: readonly DailyFigure[]
  visitors: { day: string; seen: readonly DailyVisitor[] }
}

/** Adds counts, also to those of other processes, all or none, and publishes the slots that have enough visitors. */
export async function addFigures(database: Database, { figures, visitors: { day, seen } }: NewFigures): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Locks the slots: one process at a time publishes them.
    await addRows(transaction, [{ ...NO_COUNTS, dimension: 'all', day: OPEN_SLOTS.turns.day, value: '' }])
    for (const part of inParts(seen.map((visitor) => ({ day, ...visitor }))))
      await transaction
        .insertInto('daily_visitors')
        .values(part)
        .onConflict((conflict) =>
          conflict.columns(['day', 'hash']).doUpdateSet({
            network: sql`coalesce(daily_visitors.network, excluded.network)`,
            slots: sql`daily_visitors.slots | excluded.slots`,
          }),
        )
        .execute()
    for (const part of inParts(figures)) await addRows(transaction, part)
    for (const slot of Object.values(OPEN_SLOTS)) await publishSlot(transaction, slot, day)
  })
}

/** Moves an open slot to the figures of `day` if at least `MIN_SHOWN` visitors of that day on as many networks have added to it. */
async function publishSlot(database: Database, slot: (typeof OPEN_SLOTS)[OpenSlot], day: string): Promise<void> {
  const { visitors, networks } = await countVisitors(database, day, slot.bit)
  if (visitors < MIN_SHOWN || networks < MIN_SHOWN) return
  const rows = await database.deleteFrom('daily_figures').where('day', '=', slot.day).returningAll().execute()
  for (const part of inParts(rows.map((row) => ({ ...row, day })))) await addRows(database, part)
  await database
    .updateTable('daily_visitors')
    .set({ slots: sql`slots - ${sql.lit(slot.bit)}` })
    .where('day', '=', day)
    .where(hasBit(slot.bit))
    .execute()
}

const addRows = (database: Database, rows: DailyFigure[]) =>
  database
    .insertInto('daily_figures')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['dimension', 'day', 'value'])
        .doUpdateSet(
          Object.fromEntries(COUNT_NAMES.map((name) => [name, sql`${sql.ref(`daily_figures.${name}`)} + ${sql.ref(`excluded.${name}`)}`])),
        ),
    )
    .execute()

/** Days before `day` whose visitors are still stored. */
export async function openDaysBefore(database: Database, day: string): Promise<string[]> {
  const rows = await database.selectFrom('daily_visitors').select('day').distinct().where('day', '<', day).execute()
  return rows.map((row) => row.day)
}

/** Networks of a day's visitors, by the visitors' hashes. */
export async function networksOfDay(database: Database, day: string): Promise<Map<string, string | null>> {
  const rows = await database.selectFrom('daily_visitors').select(['hash', 'network']).where('day', '=', day).execute()
  return new Map(rows.map(({ hash, network }) => [hash, network]))
}

/** Replaces the visitors of a day by its topics, and by their number if they are enough on enough networks. */
export async function closeDay(database: Database, day: string, topics: { topics: string; outcome: TopicsOutcome }): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { networks } = await countVisitors(transaction, day)
    // Of two processes one deletes the rows, and counts them.
    const { numDeletedRows } = await transaction.deleteFrom('daily_visitors').where('day', '=', day).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return
    await transaction
      .insertInto('daily_topics')
      .values({ day, ...topics })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
    if (numDeletedRows >= MIN_SHOWN && networks >= MIN_SHOWN)
      await addRows(transaction, [{ ...NO_COUNTS, dimension: 'visitors', day, value: '', turns: Number(numDeletedRows) }])
  })
}

export function readDailyTopics(database: Database, from: string) {
  return database.selectFrom('daily_topics').selectAll().where('day', '>=', from).orderBy('day', 'desc').execute()
}

/** Deletes the figures of days before `day`, and what was published of its topics before `topicsDay`. */
export async function deleteFiguresBefore(database: Database, day: string, topicsDay: string): Promise<void> {
  await database.deleteFrom('daily_topics').where('day', '<', topicsDay).execute()
  for (const dimension of FIGURE_DIMENSIONS)
    await database.deleteFrom('daily_figures').where('dimension', '=', dimension).where('day', '<', day).execute()
}

/** The figures by one dimension of the days from `from` to `to`, both included, in the order of days. */
export async function readFigures(
  database: Database,
  { from, to, dimension }: { from: string; to: string; dimension: FigureDimension },
): Promise<DailyFigure[]> {
  const rows = await database
    .selectFrom('daily_figures')
    .selectAll()
    .where('dimension', '=', dimension)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('value')
    .execute()
  return rows
}

/** The figures of the files that most answers of these days name. */
export async function readTopFiles(database: Database, { from, to }: { from: string; to: string }, limit: number): Promise<DailyFigure[]> {
  const ofRange = database.selectFrom('daily_figures').where('dimension', '=', 'file').where('day', '>=', from).where('day', '<=', to)
  const top = ofRange
    .select('value')
    .groupBy('value')
    .orderBy(({ fn }) => fn.sum('turns'), 'desc')
    .orderBy('value')
    .limit(limit)
  const files = (await top.execute()).map(({ value }) => value)
  return files.length === 0 ? [] : ofRange.selectAll().where('value', 'in', files).execute()
}

/** Visitors of a day that isn't closed, and their networks, in an open slot if its bit is given. */
async function countVisitors(database: Database, day: string, bit?: number): Promise<{ visitors: number; networks: number }> {
  return database
    .selectFrom('daily_visitors')
    .select([sql<number>`count(*)`.as('visitors'), sql<number>`count(distinct network)`.as('networks')])
    .where('day', '=', day)
    .$if(bit !== undefined, (query) => query.where(hasBit(bit as number)))
    .executeTakeFirstOrThrow()
}

const hasBit = (bit: number) => sql<boolean>`(slots & ${sql.lit(bit)}) <> 0`

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) yield rows.slice(start, start + ROWS_A_STATEMENT)
}
