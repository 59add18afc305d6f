import type { ReactNode } from 'react'

export interface Bar {
  /** The name, unless several have the same. */
  key?: string
  name: string
  value: number
  text: string
  /** Shares of the bar from the bottom, by a name in the style sheet. */
  stack?: readonly (readonly [kind: string, share: number])[]
}

interface BarChartProps {
  bars: readonly Bar[]
  /** Names of the kinds in stacks. */
  legend: readonly (readonly [kind: string, name: string])[]
}

const HEIGHT = 100
/** Width of a bar and the gap after it. */
const STEP = 10
const GAP = 2
/** A chart of few bars doesn't fill the page; its two names fit below it. */
const LEAST_WIDTH_REM = 14
const MOST_STEP_REM = 3

/** A chart for the eye; the table below it says the same. */
export function BarChart({ bars, legend }: BarChartProps): ReactNode {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure
      className="columns"
      aria-hidden="true"
      style={{ maxInlineSize: `max(${LEAST_WIDTH_REM}rem, ${bars.length * MOST_STEP_REM}rem)` }}
    >
      <svg viewBox={`0 0 ${bars.length * STEP - GAP} ${HEIGHT}`} preserveAspectRatio="none">
        {bars.map(({ name, key = name, value, text, stack = [['', 1]] }, index) => {
          const height = (HEIGHT * value) / highest
          let y = HEIGHT
          return (
            <g key={key}>
              <title>{`${name}: ${text}`}</title>
              {stack.map(([kind, share]) => {
                y -= height * share
                return <rect key={kind} className={kind} x={index * STEP} y={y} width={STEP - GAP} height={height * share} />
              })}
            </g>
          )
        })}
      </svg>
      <figcaption>
        <span>{bars[0]?.name}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.name}</span>}
      </figcaption>
      {legend.length > 0 && (
        <ul className="links muted">
          {legend.map(([kind, name]) => (
            <li key={kind}>
              <svg viewBox="0 0 10 10">
                <rect className={kind} width="10" height="10" />
              </svg>{' '}
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}
