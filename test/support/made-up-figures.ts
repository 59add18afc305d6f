import { type DailyFigure, NO_COUNTS } from '../../src/server/store/staff/figures.ts'
import type { FigureDimension } from '../../src/server/store/engine/schema/figures-schema.ts'

/** Turns that a day may have, many of them few. */
const SIZES = [0, 1, 2, 3, 4, 5, 6, 9, 20, 60, 130, 400]
const STATES = ['answered', 'not_covered', 'referred', 'failed', 'stopped']
const LANGUAGES = ['en', 'de', 'fr', 'ar']
const AGENTS = ['default', 'press', 'taxes']
const EMBEDS = ['page', 'https://shop.example.org', 'api', 'https://town.example.org']
/** When a release began to count by embedding site, in the middle of a day. */
const EMBEDS_SINCE = { day: '2026-10-15', turn: 7 }
/** The days of made-up figures. */
export const MADE_UP_MONTHS = { from: '2026-09-01', to: '2026-11-30' }

/** Random numbers from 0 to 1 that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Daily figures of made-up turns, as they are stored. */
export function madeUpFigures(seed: number): DailyFigure[] {
  const random = randomFrom(seed)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() ** 2 * values.length)] as Value
  const rows = new Map<string, DailyFigure>()
  const add = (day: string, dimension: FigureDimension, value: string, counts: Partial<DailyFigure>) => {
    const key = `${dimension} ${day} ${value}`
    const row = rows.get(key) ?? { ...NO_COUNTS, dimension, day, value }
    rows.set(key, row)
    for (const name of Object.keys(counts) as (keyof typeof NO_COUNTS)[]) row[name] += counts[name] ?? 0
  }
  for (let time = Date.parse(MADE_UP_MONTHS.from); time <= Date.parse(MADE_UP_MONTHS.to); time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10)
    const turns = SIZES[Math.floor(random() * SIZES.length)] as number
    for (let turn = 0; turn < turns; turn++) {
      const state = pick(STATES)
      const complete = Number(state === 'answered' || state === 'referred')
      const down = Number(random() < 0.05)
      const counts = {
        turns: 1,
        complete,
        not_covered: Number(state === 'not_covered'),
        up: Number(random() < 0.1),
        down,
        lost: complete * down,
      }
      add(day, 'all', '', counts)
      add(day, 'state', state, counts)
      add(day, 'language', pick(LANGUAGES), counts)
      const isCounted = day > EMBEDS_SINCE.day || (day === EMBEDS_SINCE.day && turn >= EMBEDS_SINCE.turn)
      if (isCounted) add(day, 'embed', pick(EMBEDS), counts)
      const agent = pick(AGENTS)
      add(day, 'agent', agent, counts)
      add(day, 'model', 'small', counts)
      if (random() < 0.2) add(day, 'file', pick(['a.md', 'b.md']), counts)
      if (random() < 0.02) add(day, 'refusal', 'too_many_prompts', { turns: 1 })
    }
    add(day, 'visitors', '', { turns: Math.ceil(turns / 3) })
  }
  return [...rows.values()]
}
