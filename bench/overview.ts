import { startCluster } from '../test/support/postgres-cluster.ts'
import { createDatabase } from '../test/support/postgres.ts'
import { readPublished } from '../src/server/insights/figures/publish-figures.ts'
import type { Database } from '../src/server/store/engine/database.ts'
import { openDatabase } from '../src/server/store/engine/open-database.ts'
import { addFigures, type DailyFigure, NO_COUNTS } from '../src/server/store/staff/figures.ts'
import type { FigureDimension } from '../src/server/store/engine/schema/figures-schema.ts'
import { type Figure, type Measurement, milliseconds, withinBound } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'
import { median } from './support/statistics.ts'

const DAY_MS = 86_400_000
const DAYS = 365
const TURNS = 30_000_000
const NOW = Date.UTC(2026, 11, 31, 12)
/** Values that a busy installation has in a day. */
const VALUES: Partial<Record<FigureDimension, number>> = {
  all: 1,
  agent: 10,
  embed: 50,
  language: 12,
  model: 5,
  state: 14,
  file: 200,
  first_text: 20,
  whole_answer: 20,
  refusal: 10,
  visitors: 1,
}
const WARM_UP_ROUNDS = 2
const ROUNDS = 10
const BOUND_MS = 1_000

/** Time to read a year's figures of 30 million turns, as the console's overview does. */
export const overview: Figure = {
  name: 'overview',
  measure: () =>
    withProcesses(async (processes) => {
      const onlySqlite = await openDatabase({ kind: 'sqlite', directory: processes.folder() }, fail)
      const cluster = await startCluster()
      try {
        const { url } = await createDatabase(cluster.url)
        const postgres = await openDatabase({ kind: 'postgres', url, connections: 2, timeoutMs: 20_000 }, fail)
        const measurements = [await measure('SQLite', onlySqlite), await measure('PostgreSQL', postgres)]
        await Promise.all([onlySqlite.destroy(), postgres.destroy()])
        return measurements
      } finally {
        await cluster.stop()
      }
    }),
}

async function measure(name: string, database: Database): Promise<Measurement> {
  for (let day = 0; day < DAYS; day += 1)
    await addFigures(database, { figures: figuresOf(dayAgo(day)), visitors: { day: dayAgo(0), seen: [] } })
  const times: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const startedAt = performance.now()
    await readPublished(database, { from: dayAgo(DAYS - 1), to: dayAgo(0) }, dayAgo(0))
    if (round >= WARM_UP_ROUNDS) times.push(performance.now() - startedAt)
  }
  return withinBound(
    `reading the figures of a year with ${TURNS.toLocaleString('en')} turns, ${name}`,
    median(times),
    BOUND_MS,
    milliseconds,
  )
}

function figuresOf(day: string): DailyFigure[] {
  return Object.entries(VALUES).flatMap(([dimension, count]) =>
    Array.from({ length: count }, (_, value) => {
      const turns = Math.round(TURNS / DAYS / count)
      const parts = { complete: turns >> 1, lost: turns >> 4, not_covered: turns >> 3, up: turns >> 5, down: turns >> 6 }
      const costs = { input_tokens: turns * 2_000, output_tokens: turns * 300, cost: turns / 100 }
      return { ...NO_COUNTS, ...parts, ...costs, dimension: dimension as FigureDimension, day, value: valueOf(dimension, value), turns }
    }),
  )
}

const valueOf = (dimension: string, number: number) => {
  if (dimension === 'all' || dimension === 'visitors') return ''
  return ['first_text', 'whole_answer'].includes(dimension) ? String(100 * (number + 1)) : `${dimension}-${number}`
}
const dayAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10)

function fail(error: unknown): never {
  throw new Error('The database broke', { cause: error })
}
