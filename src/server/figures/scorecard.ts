import type { Scorecard, ScorecardFigure } from '../../contract/scorecard.ts'
import type { Part } from '../../contract/staff/figures.ts'
import type { Database } from '../store/database.ts'
import type { DailyFigure } from '../store/figures.ts'
import { dayOf } from './figures.ts'
import { publishFigures, TURNS_OF_A_PERIOD } from './publish-figures.ts'
import { readDimensions } from './read-figures.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DIMENSIONS = ['all', 'first_text', 'whole_answer'] as const

interface ScorecardOptions {
  database: Database
  shown: readonly ScorecardFigure[]
  now: () => number
}

/**
 * Returns the function that reads the scorecard until yesterday. It reads once a day, an hour after midnight UTC, when every process has
 * written its counts: somebody who asks again and again can't tell what a single visitor did.
 */
export function scorecardReader({ database, shown, now }: ScorecardOptions): () => Promise<Scorecard> {
  let known: { to: string; scorecard: Promise<Scorecard> } | null = null
  const read = async (to: string) => {
    const from = firstOfMonth(sinceOf(to))
    return publishScorecard(await readDimensions(database, { from, to }, DIMENSIONS), { to, shown })
  }
  return () => {
    const to = dayOf(now() - HOUR_MS - DAY_MS)
    if (known?.to !== to) {
      const scorecard = read(to)
      known = { to, scorecard }
      scorecard.catch(() => (known = null))
    }
    return known.scorecard
  }
}

/**
 * What the public may see of daily figures, which contain those of whole months until `to`: sums of the periods that end in the last 30 days
 * and don't grow any more, because they have a hundred turns or their month is over. A later scorecard differs by whole periods.
 */
export function publishScorecard(
  rows: readonly DailyFigure[],
  { to, shown }: { to: string; shown: readonly ScorecardFigure[] },
): Scorecard {
  const since = sinceOf(to)
  const month = dayOf(Date.parse(to) + DAY_MS).slice(0, 7)
  const { periods } = publishFigures(rows, { from: firstOfMonth(since), to })
  const settled = periods.filter((period) => period.to >= since && (period.turns >= TURNS_OF_A_PERIOD || period.to.slice(0, 7) !== month))
  const [first, last] = [settled[0], settled.at(-1)]
  if (!first || !last) return { figures: null }
  const { total, times, ...range } = publishFigures(rows, { from: first.from, to: last.to })
  const isShown = (figure: ScorecardFigure) => shown.includes(figure)
  return {
    figures: {
      from: range.from,
      to: range.to,
      ...(isShown('prompts') && { prompts: total.turns }),
      ...(isShown('useful') && { useful: perCent(total.useful) }),
      ...(isShown('not-covered') && { notCovered: perCent(total.notCovered) }),
      ...(isShown('times') && { times }),
    },
  }
}

const perCent = (part: Part) => part && Math.round((100 * part.count) / part.of)
const sinceOf = (to: string) => dayOf(Date.parse(to) - (DAYS - 1) * DAY_MS)
const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`
