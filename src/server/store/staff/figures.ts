import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'
import { FIGURE_DIMENSIONS, type FigureCounts, type FigureDimension } from '../engine/schema/figures-schema.ts'

/** Sums of a day, an ISO date in UTC, by one dimension. */
export interface DailyFigure extends FigureCounts {
  dimension: FigureDimension
  day: string
  value: string
}

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
  rephrased: 0,
}
export const COUNT_NAMES = Object.keys(NO_COUNTS) as (keyof FigureCounts)[]

/** Rows a statement: SQLite allows 32,766 parameters. */
const ROWS_A_STATEMENT = 500

/** Counts since the last write. */
export interface NewFigures {
  figures: readonly DailyFigure[]
  /** Who was here on `day`, as hashes. */
  visitors: { day: string; hashes: readonly string[] }
}

/** Adds counts, also to those of other processes, all or none. */
export async function addFigures(database: Database, { figures, visitors }: NewFigures): Promise<void> {
  // In one order, so that processes that write the same rows don't deadlock.
  const rows = figures.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  await database.transaction().execute(async (transaction) => {
    for (const part of inParts(rows)) await addRows(transaction, part)
    const hashes = visitors.hashes.toSorted().map((hash) => ({ day: visitors.day, hash }))
    for (const part of inParts(hashes))
      await transaction
        .insertInto('daily_visitors')
        .values(part)
        .onConflict((conflict) => conflict.columns(['day', 'hash']).doNothing())
        .execute()
  })
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

/** Replaces the visitors of days before `day` by their number. */
export async function closeDaysBefore(database: Database, day: string): Promise<void> {
  const open = await database.selectFrom('daily_visitors').select('day').distinct().where('day', '<', day).execute()
  for (const past of open)
    await database.transaction().execute(async (transaction) => {
      // Of two processes one deletes the rows, and counts them.
      const { numDeletedRows } = await transaction.deleteFrom('daily_visitors').where('day', '=', past.day).executeTakeFirstOrThrow()
      if (numDeletedRows > 0)
        await addRows(transaction, [{ ...NO_COUNTS, dimension: 'visitors', day: past.day, value: '', turns: Number(numDeletedRows) }])
    })
}

/** Deletes the figures of days before `day`. */
export async function deleteFiguresBefore(database: Database, day: string): Promise<void> {
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

/** Visitors of a day that isn't closed. */
export async function countVisitors(database: Database, day: string): Promise<number> {
  const { count } = await database
    .selectFrom('daily_visitors')
    .select(sql<number>`count(*)`.as('count'))
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return count
}

const keyOf = ({ dimension, day, value }: DailyFigure) => JSON.stringify([dimension, day, value])

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) yield rows.slice(start, start + ROWS_A_STATEMENT)
}
