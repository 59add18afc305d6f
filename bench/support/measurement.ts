/** One row of the report. */
export interface Measurement {
  figure: string
  /** Value with its unit. */
  ours: string
  /** The limit, and for a ratio the value that was measured beside ours in the same run; empty if there is none. */
  limit: string
  /** `null` if there is no limit. */
  holds: boolean | null
}

export interface Figure {
  /** Name of the figure, also as an argument of `npm run bench`. */
  name: string
  measure(): Promise<Measurement[]>
}

export interface Baseline {
  name: string
  value: number
}

type Format = (value: number) => string

/** Our value within a fixed limit. */
export function withinBound(figure: string, ours: number, bound: number, format: Format): Measurement {
  return { figure, ours: format(ours), limit: `at most ${format(bound)}`, holds: ours <= bound }
}

/** Our value compared with a minimum. */
export function reachesBound(figure: string, ours: number, bound: number, format: Format): Measurement {
  return { figure, ours: format(ours), limit: `at least ${format(bound)}`, holds: ours >= bound }
}

/** A value without a limit. */
export function recorded(figure: string, ours: number, format: Format): Measurement {
  return { figure, ours: format(ours), limit: '', holds: null }
}

/** Our value relative to another one for the same work in the same run. */
export function relativeTo(figure: string, ours: number, base: Baseline, format: Format, allowed: number | null = null): Measurement {
  // A baseline without measurable cost means that the bench is broken, not that ours is infinitely worse.
  if (!(base.value > 0)) throw new Error(`${figure}: ${base.name} measured ${base.value}.`)
  const ratio = ours / base.value
  const against = `${base.name}: ${format(base.value)}`
  return {
    figure,
    ours: `${ratio.toFixed(2)} × (${format(ours)})`,
    limit: allowed === null ? against : `at most ${allowed} × ${against}`,
    holds: allowed === null ? null : ratio <= allowed,
  }
}

export const milliseconds: Format = (value) => `${value.toFixed(2)} ms`
export const microseconds: Format = (value) => `${value.toFixed(1)} µs`
export const seconds: Format = (value) => `${value.toFixed(2)} s`
export const megabytes: Format = (value) => `${value.toFixed(0)} MB`
export const kilobytes: Format = (value) => `${value.toFixed(1)} kB`
export const count: Format = (value) => String(value)
