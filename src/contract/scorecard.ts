import { z } from 'zod'

/** What a scorecard can show. */
export const SCORECARD_FIGURES = ['prompts', 'useful', 'not-covered', 'times'] as const
export type ScorecardFigure = (typeof SCORECARD_FIGURES)[number]

export const AnswerTimes = z
  .object({ median: z.int().nullable(), p95: z.int().nullable() })
  .describe('Upper bounds in milliseconds; `null` above the longest one that is counted.')
  .nullable()
export type AnswerTimes = z.infer<typeof AnswerTimes>

const Day = z.iso.date().describe('ISO date, UTC.')
const PerCent = z.int().min(0).max(100).nullable().describe('Per cent of the prompts; `null` if there are, or lack, fewer than five.')

const ScorecardFigures = z.object({
  from: Day,
  to: Day,
  prompts: z.int().optional(),
  useful: PerCent.optional(),
  notCovered: PerCent.optional(),
  times: z.object({ firstText: AnswerTimes, wholeAnswer: AnswerTimes }).optional(),
})
export type ScorecardFigures = z.infer<typeof ScorecardFigures>

/** `GET /api/v1/scorecard`: what the operator publishes about the answers of the last 30 days. Changes once a day. */
export const Scorecard = z.object({
  figures: ScorecardFigures.nullable().describe('What the operator does not publish is left out; `null` until there is enough.'),
})
export type Scorecard = z.infer<typeof Scorecard>
