import { SCORECARD_FIGURES, type ScorecardFigure } from '../../contract/scorecard.ts'
import { consoleSettings } from './console-settings.ts'
import { text } from './setting-schemas.ts'

export const SCORECARD_ENVIRONMENT = {
  SCORECARD: text
    .refine(
      (value) => figuresIn(value) !== null,
      `must be off, on, or a list of these, separated by commas: ${SCORECARD_FIGURES.join(', ')}`,
    )
    .default('off')
    .describe(
      `Figures that visitors can see at \`/#/about\`: \`off\` for none, \`on\` for all, or some of \`${SCORECARD_FIGURES.join(',')}\`. Requires the console, which counts them.`,
    ),
}

interface ScorecardEnvironment {
  SCORECARD: string
}

/** What the scorecard shows; empty if there is none. */
export function scorecardSettings({ SCORECARD }: ScorecardEnvironment): readonly ScorecardFigure[] {
  return figuresIn(SCORECARD) ?? []
}

/** Mistakes in how the settings combine, as sentences. */
export function scorecardMistakes(environment: ScorecardEnvironment & Parameters<typeof consoleSettings>[0]): string[] {
  if (scorecardSettings(environment).length === 0 || consoleSettings(environment)) return []
  return ['SCORECARD needs the daily figures, which are counted only with a console: set CONSOLE_PORT to a port, or SCORECARD=off']
}

/** `null` if a name is unknown. */
function figuresIn(value: string): readonly ScorecardFigure[] | null {
  if (value === 'off') return []
  if (value === 'on') return SCORECARD_FIGURES
  const names = value.split(',').map((name) => name.trim())
  const isKnown = names.every((name) => SCORECARD_FIGURES.some((figure) => figure === name))
  return isKnown ? SCORECARD_FIGURES.filter((figure) => names.includes(figure)) : null
}
