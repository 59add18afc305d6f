import { z } from 'zod'

/** Fewer than this many are not shown. */
export const MIN_SHOWN = 5

const Day = z.iso.date().describe('ISO date, UTC.')
const Count = z.int()
const Part = z
  .object({ count: Count, of: Count.describe('Turns of the periods in which these, and the others, are none or at least five.') })
  .nullable()
  .describe('`null` if that is less than half of the turns.')
export type Part = z.infer<typeof Part>

const Sums = {
  turns: Count.describe('Ended turns. They are published in steps of at least five visitors on five networks.'),
  inputTokens: Count.describe('In thousands.'),
  outputTokens: Count.describe('In thousands.'),
  cost: z.number().describe('In the operator’s currency, in hundredths.'),
  notCovered: Part,
  useful: Part.describe('Answered or referred, and not rated down.'),
  up: Part,
  down: Part,
}

/** A day, or as many days of a month as have five turns together. */
export const FigureDays = z.object({
  from: Day,
  to: Day,
  turns: Count,
  inputTokens: Count,
  outputTokens: Count,
  cost: z.number(),
  visitors: z
    .int()
    .nullable()
    .describe(
      'Visitors of one day that is over. `null` for several days, whose visitors can’t be added, and for fewer than five, or on fewer networks.',
    ),
})
export type FigureDays = z.infer<typeof FigureDays>

/** As many days of a month as have a hundred turns together; the last ones of a month, and of all, may have fewer. */
export const FigurePeriod = z.object({
  from: Day,
  to: Day,
  ...Sums,
  states: z.record(z.string(), Count).describe('Turns by state; those of rare states under `other`.'),
})

const AnswerTimes = z
  .object({ median: z.int().nullable(), p95: z.int().nullable() })
  .describe('Upper bounds in milliseconds; `null` above the longest one that is counted.')
  .nullable()

/** One row of a breakdown, over all periods. */
export const FigureRow = z.object({
  value: z
    .string()
    .describe('`other` for what is too rare to be shown. Of `embed`, the origin of the site, `page` for the page itself, or `api`.'),
  ...Sums,
})
export type FigureRow = z.infer<typeof FigureRow>

export const BREAKDOWNS = ['agent', 'embed', 'language', 'model', 'state'] as const
export type Breakdown = (typeof BREAKDOWNS)[number]

export const Figures = z.object({
  from: Day,
  to: Day,
  days: z.array(FigureDays),
  total: z.object(Sums).describe('Sums of the periods.'),
  periods: z.array(FigurePeriod),
  breakdowns: z.object(
    Object.fromEntries(BREAKDOWNS.map((of) => [of, z.array(FigureRow)])) as Record<Breakdown, z.ZodArray<typeof FigureRow>>,
  ),
  files: z.array(z.object({ file: z.string(), answers: Count, up: Part, down: Part })).describe('Answers by the files that they name.'),
  times: z.object({ firstText: AnswerTimes, wholeAnswer: AnswerTimes }),
  rejections: z.array(z.object({ code: z.string(), count: Count })).describe('Prompts that were turned away, by reason.'),
})
export type Figures = z.infer<typeof Figures>

export const MAX_FIGURE_DAYS = 1_100

const range = { from: Day.optional(), to: Day.optional() }
export const FiguresQuery = z.strictObject(range)

export const FIGURE_TABLES = ['days', 'files', 'rejections', ...BREAKDOWNS] as const
export const FiguresCsvQuery = z.strictObject({ ...range, table: z.enum(FIGURE_TABLES) })
