import type { Holiday } from '../computing/holidays.ts'

/** Languages in which the rules understand requests and write replies. */
export type ReplyLanguage = 'en' | 'de' | 'fr' | 'es'

/**
 * A pattern for a whole request and the expression that it stands for. In patterns `{N}` is a number, `{P}` a percentage, `{L}` a list of
 * numbers; in expressions `{1}` is the first of them. All numbers of the request must be in the pattern.
 */
export interface ArithmeticRule {
  pattern: string
  expression: string
  /** The result is a percentage. */
  isPercentage?: true
}

/** Kinds of date requests. `{D}` in a pattern is a date or holiday, `{P}` a period such as "3 weeks", `{Y}` a year, `{M}` a month of a year. */
export type DateAspect =
  | 'today'
  | 'difference'
  | 'until'
  | 'since'
  | 'weekday'
  | 'week'
  | 'age'
  | 'date'
  | 'later'
  | 'earlier'
  | 'leap-year'
  | 'days-in-month'

export interface DateRule {
  pattern: string
  aspect: DateAspect
}

export type FollowUpKind = 'shorten' | 'explain' | 'doubt' | 'more' | 'translate'

/** The words of one language. All of it is folded: small letters, no accents, ß as ss. */
export interface LanguageRules {
  language: ReplyLanguage
  /** Frequent words by which the language is recognised. */
  markers: string
  /** Politeness and filler before a request, as alternatives of a regular expression. */
  openings: string
  /** The same after a request. */
  closings: string
  /** Questions around arithmetic that say nothing: "how much is". */
  calculationLeads: string
  /** Number words and what they stand for, the compound ones included. */
  numbers: ReadonlyMap<string, number>
  /** Words of operators and what the calculator reads, in this order. */
  operators: readonly (readonly [string, string])[]
  arithmetic: readonly ArithmeticRule[]
  /** Words for the last result: "that", "the result". */
  lastResult: string
  months: readonly string[]
  weekdays: readonly string[]
  /** Days from today. */
  relativeDays: Readonly<Record<string, number>>
  /** Alternatives for each unit of a period. */
  periodUnits: Readonly<Record<'days' | 'weeks' | 'months' | 'years', string>>
  holidays: Readonly<Partial<Record<Holiday, string>>>
  /** Words for this and next year after a holiday. */
  thisYear: string
  nextYear: string
  /** Between a day of the month and its month, and between month and year. */
  dateJoiner: string
  dates: readonly DateRule[]
  /** Time now in a place `{A}`, or where none is named. */
  timeNow: readonly string[]
  /** Time in `{B}` when it is `{T}` in `{A}`. */
  timeElsewhere: readonly string[]
  /** Difference between the clocks of `{A}` and `{B}`. */
  timeDifference: readonly string[]
  /** Conversions: `{N}`, `{from}` and `{to}`. */
  conversions: readonly string[]
  /** Beginnings of a follow-up: "and", "what about". */
  followUpLeads: string
  /** Prepositions before the new value of a follow-up. */
  prepositions: string
  followUps: Readonly<Record<FollowUpKind, string>>
  /** Words by which a question refers to what was said before. */
  pronouns: string
}
