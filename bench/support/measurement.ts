/** One row of the report. */
export interface Measurement {
  figure: string
  /** Value with its unit. */
  ours: string
  /** What our value is compared with: a rival measured in the same run, or a fixed bound. */
  against: string
  /** Our value divided by the other; null if a ratio makes no sense. */
  ratio: number | null
  /** Maximum ratio; null if there is no limit and the row is informational. */
  allowed: number | null
  holds: boolean
}

export interface Figure {
  /** Name of the figure, also as an argument of `npm run bench`. */
  name: string
  measure(): Promise<Measurement[]>
}

export interface Rival {
  name: string
  value: number
}

type Format = (value: number) => string

/** Our value compared with a rival's for the same work in the same run. */
export function againstRival(figure: string, ours: number, rival: Rival, format: Format, allowed: number | null = null): Measurement {
  // A rival without measurable cost means that the bench is broken, not that ours is infinitely worse.
  if (!(rival.value > 0)) throw new Error(`${figure}: ${rival.name} measured ${rival.value}.`)
  const ratio = ours / rival.value
  return {
    figure,
    ours: format(ours),
    against: `${rival.name} ${format(rival.value)}`,
    ratio,
    allowed,
    holds: allowed === null || ratio <= allowed,
  }
}

/** Our value compared with a fixed bound. */
export function withinBound(figure: string, ours: number, bound: number, format: Format): Measurement {
  const ratio = bound > 0 ? ours / bound : null
  return {
    figure,
    ours: format(ours),
    against: `at most ${format(bound)}`,
    ratio,
    allowed: ratio === null ? null : 1,
    holds: ours <= bound,
  }
}

/** Our value compared with a minimum: the ratio is the bound divided by our value. */
export function reachesBound(figure: string, ours: number, bound: number, format: Format): Measurement {
  return { figure, ours: format(ours), against: `at least ${format(bound)}`, ratio: bound / ours, allowed: 1, holds: ours >= bound }
}

export const milliseconds: Format = (value) => `${value.toFixed(2)} ms`
export const microseconds: Format = (value) => `${value.toFixed(1)} µs`
export const seconds: Format = (value) => `${value.toFixed(2)} s`
export const megabytes: Format = (value) => `${value.toFixed(0)} MB`
export const kilobytes: Format = (value) => `${value.toFixed(1)} kB`
export const count: Format = (value) => String(value)
