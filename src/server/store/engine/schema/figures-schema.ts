/** Dimensions of daily figures; `all` counts everything, under an empty value. */
export const FIGURE_DIMENSIONS = [
  'all',
  'agent',
  'embed',
  'language',
  'model',
  'state',
  'file',
  'first_text',
  'whole_answer',
  // Rejected prompts, by code.
  'refusal',
  'visitors',
] as const
export type FigureDimension = (typeof FIGURE_DIMENSIONS)[number]

export interface FigureCounts {
  /** Ended turns; of `refusal` and `visitors`, what the dimension names. */
  turns: number
  input_tokens: number
  output_tokens: number
  /** In the operator's currency. */
  cost: number
  /** Answered or referred. */
  complete: number
  /** Complete answers rated down. */
  lost: number
  not_covered: number
  up: number
  down: number
}

/** Sums of a day by one dimension. There is no row by two, so that no two rows can be subtracted. */
interface DailyFigureTable extends FigureCounts {
  dimension: FigureDimension
  /** ISO date, UTC, or the open slot that isn't published yet. */
  day: string
  value: string
}

/** Who was here on a day that isn't over, by hashes under a salt of that day. */
interface DailyVisitorTable {
  day: string
  hash: string
  /** Hash of the network of their first prompt of the day. */
  network: string | null
  /** The open slots with something of theirs, as bits. */
  slots: number
}

/** Topics of a day's prompts without an answer, as JSON. */
interface DailyTopicsTable {
  day: string
  topics: string
  outcome: TopicsOutcome
}

/** Why a day has no topics, if it has none. */
export type TopicsOutcome = 'topics' | 'not_enough' | 'one_network'

/** Topics that staff don't want to see until they are asked about again. */
interface DismissedTopicTable {
  id: string
  dismissed_at: number
}

export interface FiguresSchema {
  dismissed_topics: DismissedTopicTable
  daily_topics: DailyTopicsTable
  daily_figures: DailyFigureTable
  daily_visitors: DailyVisitorTable
}
