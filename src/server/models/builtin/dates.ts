import type { DateTimeInput } from './computing/date-time.ts'
import { fixedDateOf, type Holiday } from './computing/holidays.ts'
import { dayOf } from './computing/calendar.ts'
import { plainLower } from './folding.ts'
import type { DateAspect, LanguageRules, ReplyLanguage } from './languages/language-rules.ts'
import { rulesFrom } from './languages/languages.ts'
import { withDigits } from './number-words.ts'
import { compiled, trimmedBy } from './patterns.ts'

/** A date as written, not yet resolved to a day. */
export type DateWords =
  | { kind: 'date'; date: string }
  | { kind: 'holiday'; holiday: Holiday; year?: number; yearsFromNow?: number }
  | { kind: 'days'; days: number }
  | { kind: 'weekday'; weekday: NonNullable<DateTimeInput['weekday']> }
  /** 03/04/2025: the third of April, or the fourth of March. */
  | { kind: 'ambiguous'; text: string; readings: readonly [string, string] }

export type DateUnit = 'weeks' | 'months' | 'years'

export interface DateRequest {
  kind: 'date'
  aspect: DateAspect
  input: DateTimeInput
  request: string
  /** Unit of a length of time; days where none was asked for. */
  unit?: DateUnit | undefined
}

export interface AmbiguousDate {
  kind: 'ambiguous-date'
  text: string
  readings: readonly [string, string]
  request: string
}

interface Tokens {
  dates: DateWords[]
  periods: NonNullable<DateTimeInput['add']>[]
  months: string[]
}

const TOKENS = { D: '<D(\\d)>', P: '<P(\\d)>', M: '<M(\\d)>', Y: '(\\d{4})' }
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MAX_TOKENS = 9

/** Parses a request about dates. */
export function dateRequestOf(request: string, language: ReplyLanguage | undefined): DateRequest | AmbiguousDate | undefined {
  const folded = plainLower(request)
  for (const rules of rulesFrom(language)) {
    const plain = trimmedBy(folded, '', rules.closings)
    for (const withRelativeDays of [false, true]) {
      const { text, tokens } = tokenized(plain, rules, withRelativeDays)
      const found = byRules(text, tokens, rules)
      if (found) return { ...found, request, ...unitOf(found, plain, rules) }
    }
  }
  return undefined
}

const LENGTHS: readonly DateAspect[] = ['difference', 'until', 'since']

/** The unit that a length of time was asked for in: "how many weeks until Christmas". */
function unitOf(found: { kind: string; aspect?: DateAspect }, text: string, { periodUnits }: LanguageRules): { unit?: DateUnit } {
  if (found.aspect === undefined || !LENGTHS.includes(found.aspect)) return {}
  const unit = (['weeks', 'months', 'years'] as const).find((name) => compiled(periodUnits[name], {}, 'word').test(text))
  return unit === undefined || compiled(periodUnits.days, {}, 'word').test(text) ? {} : { unit }
}

/** The length of time before in the unit that a text consists of: "in weeks"; undefined where it is no length or no unit. */
export function inUnit(text: string, before: DateRequest, language: ReplyLanguage | undefined): DateRequest | undefined {
  if (!LENGTHS.includes(before.aspect)) return undefined
  for (const { periodUnits } of rulesFrom(language))
    for (const name of ['days', 'weeks', 'months', 'years'] as const)
      if (compiled(`(?:how many )?(?:${periodUnits[name]})`, {}).test(plainLower(text))) {
        const { unit: _, ...request } = before
        return name === 'days' ? request : { ...request, unit: name }
      }
  return undefined
}

/** The date that a text consists of, as in a follow-up. */
export function dateIn(text: string, language: ReplyLanguage | undefined): DateWords | undefined {
  for (const rules of rulesFrom(language)) {
    const { text: rest, tokens } = tokenized(trimmedBy(plainLower(text), '', rules.closings), rules, true)
    if (/^(?:the |der |den |dem |am |le |el |la )?<D0>$/.test(rest)) return tokens.dates[0]
  }
  return undefined
}

function byRules(
  text: string,
  tokens: Tokens,
  rules: LanguageRules,
): Omit<DateRequest, 'request'> | Omit<AmbiguousDate, 'request'> | undefined {
  for (const { pattern, aspect } of rules.dates) {
    const match = compiled(pattern, TOKENS).exec(text)
    if (!match) continue
    const hasPlainDate = aspect === 'date' && /^(?:the |der |le |el )?<D0>$/.test(text)
    // A date alone is no question.
    if (hasPlainDate && tokens.dates[0]?.kind !== 'holiday') continue
    const dates = [...text.matchAll(/<D(\d)>/g)].flatMap(([, index]) => tokens.dates[Number(index)] ?? [])
    const ambiguous = dates.find((one) => one.kind === 'ambiguous')
    if (ambiguous) return { kind: 'ambiguous-date', text: ambiguous.text, readings: ambiguous.readings }
    const period = /<P(\d)>/.exec(text)?.[1]
    const input = inputOf(aspect, dates, {
      period: period === undefined ? undefined : tokens.periods[Number(period)],
      month: tokens.months[0],
      year: /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0],
    })
    if (input) return { kind: 'date', aspect, input }
  }
  return undefined
}

interface Rest {
  period: DateTimeInput['add']
  month: string | undefined
  year: string | undefined
}

/** The tool input for an aspect of dates; undefined if the tool can't answer it. */
export function inputOf(aspect: DateAspect, dates: readonly DateWords[], { period, month, year }: Rest): DateTimeInput | undefined {
  const [first, second] = dates
  switch (aspect) {
    case 'today':
      return { add: { days: 0 } }
    case 'leap-year':
      return year === undefined ? undefined : { date: `${year}-01-01` }
    case 'days-in-month':
      return month === undefined ? undefined : { date: `${month}-01` }
    case 'difference':
      return first && second && differenceInput(first, second)
    case 'until':
      return first?.kind === 'date' ? { until: first.date } : first && pointInput(first)
    case 'later':
    case 'earlier':
      return period && periodInput(first, aspect === 'later' ? period : negated(period))
    default:
      return first === undefined ? { add: { days: 0 } } : pointInput(first)
  }
}

function pointInput(date: DateWords): DateTimeInput | undefined {
  switch (date.kind) {
    case 'date':
      return { date: date.date }
    case 'holiday': {
      const { kind: _, ...input } = date
      return input
    }
    case 'days':
      return { add: { days: date.days } }
    case 'weekday':
      return { weekday: date.weekday }
    case 'ambiguous':
      return undefined
  }
}

function differenceInput(first: DateWords, second: DateWords): DateTimeInput | undefined {
  const [from, to] = [calendarDate(first), calendarDate(second)]
  if (from === undefined || to === undefined) return undefined
  if (to === 'today') return from === 'today' ? undefined : { date: from }
  if (from === 'today') return { until: to }
  // "Between 1 March and 15 April 2026": the year is said once.
  const year = /^\d{4}-/.exec(to)?.[0] ?? ''
  return { date: /^\d{4}-/.test(from) ? from : `${year}${from}`, until: to }
}

function calendarDate(date: DateWords): string | undefined {
  if (date.kind === 'days') return date.days === 0 ? 'today' : undefined
  if (date.kind === 'date') return date.date
  if (date.kind !== 'holiday' || date.yearsFromNow !== undefined) return undefined
  const fixed = fixedDateOf(date.holiday)
  return fixed && (date.year === undefined ? fixed : `${date.year}-${fixed}`)
}

function periodInput(from: DateWords | undefined, add: DateTimeInput['add']): DateTimeInput | undefined {
  if (from === undefined) return add && { add }
  if (from.kind === 'date') return { date: from.date, add }
  const fixed = calendarDate(from)
  return fixed === undefined ? undefined : fixed === 'today' ? { add } : { date: fixed, add }
}

function negated({ years = 0, months = 0, weeks = 0, days = 0 }: NonNullable<DateTimeInput['add']>): DateTimeInput['add'] {
  const nonZero = Object.entries({ years, months, weeks, days }).filter(([, amount]) => amount !== 0)
  return Object.fromEntries(nonZero.map(([unit, amount]) => [unit, -amount]))
}

/** The text with its dates as `<D0>`, periods as `<P0>` and months of a year as `<M0>`. */
function tokenized(folded: string, rules: LanguageRules, withRelativeDays: boolean): { text: string; tokens: Tokens } {
  const tokens: Tokens = { dates: [], periods: [], months: [] }
  const date = (found: DateWords | undefined, match: string) => {
    if (!found || tokens.dates.length > MAX_TOKENS) return match
    tokens.dates.push(found)
    return `<D${tokens.dates.length - 1}>`
  }
  let text = folded
  const replace = (pattern: string, read: (groups: string[], match: string) => DateWords | undefined) => {
    text = text.replace(compiled(pattern, {}, 'word'), (match, ...groups) => date(read(groups as string[], match), match))
  }
  replaceNumericDates(replace, rules)
  replaceNamedDates(replace, rules)
  replaceHolidays(replace, rules)
  if (withRelativeDays) replaceRelativeDays(replace, rules)
  const months = monthNames(rules)
  text = text.replace(compiled(`(${months})\\.?(?: of| de| von| des jahres)? (\\d{4})`, {}, 'word'), (_, month: string, year: string) => {
    tokens.months.push(`${year}-${two(monthNumber(month, rules))}`)
    return `<M${tokens.months.length - 1}>`
  })
  text = withPeriods(withDigits(text, rules), rules, tokens)
  return { text: trimmedBy(text, '', ''), tokens }
}

type Replace = (pattern: string, read: (groups: string[], match: string) => DateWords | undefined) => void

function replaceNumericDates(replace: Replace, { language }: LanguageRules): void {
  replace('(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})(?!\\d)', ([year, month, day]) => calendar(year, month, day))
  replace('(\\d{1,2})\\. ?(\\d{1,2})\\. ?(\\d{4})(?!\\d)', ([day, month, year]) => calendar(year, month, day))
  replace('(\\d{1,2})\\. ?(\\d{1,2})\\.(?![\\d])', ([day, month]) => calendar(undefined, month, day))
  replace('(\\d{1,2})[/-](\\d{1,2})[/-](\\d{4})(?!\\d)', ([one = '', other = '', year], text) => {
    const dayFirst = calendar(year, other, one)
    const monthFirst = calendar(year, one, other)
    if (!dayFirst || !monthFirst || one === other || language !== 'en') return dayFirst ?? monthFirst
    return dayFirst.kind === 'date' && monthFirst.kind === 'date'
      ? { kind: 'ambiguous', text, readings: [dayFirst.date, monthFirst.date] }
      : undefined
  })
}

function replaceNamedDates(replace: Replace, rules: LanguageRules): void {
  const months = monthNames(rules)
  replace(
    `(\\d{1,2})(?:st|nd|rd|th|er|\\.|°|º)?${rules.dateJoiner} ?(${months})\\.?(?:${rules.dateJoiner},? ?(\\d{4}))?(?!\\d)`,
    ([day, month = '', year]) => calendar(year, String(monthNumber(month, rules)), day),
  )
  replace(`(${months})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?![\\d])`, ([month = '', day, year]) =>
    calendar(year, String(monthNumber(month, rules)), day),
  )
}

// One pattern for all names: each pattern takes some 20 kB once it is compiled.
function replaceHolidays(replace: Replace, rules: LanguageRules): void {
  const holidays = Object.keys(rules.holidays) as Holiday[]
  const names = Object.values(rules.holidays).map((alternatives) => `(${alternatives})`)
  replace(
    `(?:${names.join('|')})(?:(?: (?:in|en|von|im jahr|im jahre|des jahres|of|de|del|im))?,? (\\d{4})|,? (${rules.thisYear})|,? (${rules.nextYear}))?`,
    (groups) => {
      const holiday = holidays.find((_, index) => groups[index] !== undefined)
      const [year, isThisYear, isNextYear] = groups.slice(holidays.length)
      return (
        holiday && {
          kind: 'holiday',
          holiday,
          ...(year !== undefined && { year: Number(year) }),
          ...(isThisYear !== undefined && { yearsFromNow: 0 }),
          ...(isNextYear !== undefined && { yearsFromNow: 1 }),
        }
      )
    },
  )
}

function replaceRelativeDays(replace: Replace, { relativeDays, weekdays }: LanguageRules): void {
  const words = Object.keys(relativeDays).toSorted((one, other) => other.length - one.length)
  replace(`(${words.join('|')})(?:'?s)?(?: date)?`, ([word = '']) => ({ kind: 'days', days: relativeDays[word] ?? 0 }))
  const names = weekdays.map((alternatives) => alternatives.split('|')[0] ?? '')
  replace(
    `(?:(?:next|this|coming|nachsten?|nachster|kommenden?|kommender|diesen|le|el|proximo|este) )*(${names.join('|')})(?: prochain| que viene| proximo)?`,
    ([name = '']) => ({ kind: 'weekday', weekday: WEEKDAYS[names.indexOf(name)] ?? 'Sunday' }),
  )
}

function withPeriods(text: string, { periodUnits }: LanguageRules, tokens: Tokens): string {
  const units = Object.entries(periodUnits) as [keyof NonNullable<DateTimeInput['add']>, string][]
  const any = units.map(([, names]) => names).join('|')
  return text.replace(compiled(`(?:an? |la )?(\\d{1,5})? ?(${any})`, {}, 'word'), (match, amount: string | undefined, name: string) => {
    const isOne = amount === undefined && /^an? /.test(match)
    const unit = units.find(([, names]) => compiled(names, {}).test(name))?.[0]
    if (unit === undefined || (amount === undefined && !isOne) || tokens.periods.length > MAX_TOKENS) return match
    tokens.periods.push({ [unit]: Number(amount ?? 1) })
    return `<P${tokens.periods.length - 1}>`
  })
}

function calendar(year: string | undefined, month = '', day = ''): DateWords | undefined {
  // 2024 was a leap year: every day of a year is in it.
  if (dayOf(Number(year ?? 2024), Number(month), Number(day)) === undefined) return undefined
  const monthDay = `${two(Number(month))}-${two(Number(day))}`
  return { kind: 'date', date: year === undefined ? monthDay : `${year}-${monthDay}` }
}

const two = (value: number) => String(value).padStart(2, '0')

function monthNames({ months }: LanguageRules): string {
  return months
    .flatMap((names) => names.split('|'))
    .toSorted((one, other) => other.length - one.length)
    .join('|')
}

function monthNumber(name: string, { months }: LanguageRules): number {
  return months.findIndex((names) => names.split('|').includes(name)) + 1
}
