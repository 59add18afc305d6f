/** One row of the report. */
export interface Measurement {
  figure: string
  /** With its unit. */
  ours: string
  /** What ours is held against: a rival measured in the same run, or a stated bound. */
  against: string
  /** Ours by the other; null where a ratio makes no sense. */
  ratio: number | null
  /** The ratio may be this at most; null where none is stated, and the row only records. */
  allowed: number | null
  holds: boolean
}

export interface Figure {
  /** Also the word that runs it alone. */
  name: string
  measure(): Promise<Measurement[]>
}

export interface Rival {
  name: string
  value: number
}

type Format = (value: number) => string

/** Ours against a rival that did the same work in the same run. */
export function againstRival(figure: string, ours: number, rival: Rival, format: Format, allowed: number | null = null): Measurement {
  // A rival that costs nothing measurable says that the bench is broken, not that ours is infinitely worse.
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

/** Ours against a bound that is a number in itself. */
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

/** Ours against a bound that is to be reached: the ratio is the bound's to ours. */
export function reachesBound(figure: string, ours: number, bound: number, format: Format): Measurement {
  return { figure, ours: format(ours), against: `at least ${format(bound)}`, ratio: bound / ours, allowed: 1, holds: ours >= bound }
}

export const milliseconds: Format = (value) => `${value.toFixed(2)} ms`
export const microseconds: Format = (value) => `${value.toFixed(1)} µs`
export const seconds: Format = (value) => `${value.toFixed(2)} s`
export const megabytes: Format = (value) => `${value.toFixed(0)} MB`
export const kilobytes: Format = (value) => `${value.toFixed(1)} kB`
export const count: Format = (value) => String(value)
