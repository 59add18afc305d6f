import type { DateDifference, DateFacts, DateTimeResult } from './computing/date-time.ts'
import type { DateRequest, DateUnit } from './dates.ts'
import { isoOf, parseDay, periodBetween } from './computing/calendar.ts'
import { type Replies, tenseOf } from './languages/replies.ts'
import type { TimeRequest } from './times.ts'

/** Answers a question about the time, in the visitor's language. */
export function timeAnswer({ aspect }: TimeRequest, result: DateTimeResult, replies: Replies): string {
  if ('error' in result) return replies.unknownPlace
  if (result.kind === 'now') {
    const date = dateText(result.iso.slice(0, 10), replies, { weekday: 'long' })
    const time = result.iso.slice(11, 16)
    if (result.place === 'UTC') return replies.nowUtc(time, date)
    return replies.now(time, date, `${cityOf(result.timeZone)} (${result.timeZone}, ${result.utcOffset})`)
  }
  if (result.kind !== 'zones') return replies.toolFailed
  const { from, to, hoursAhead } = result
  if (aspect === 'elsewhere') {
    const clock = ({ time, timeZone, date }: typeof from) =>
      `${time} ${cityOf(timeZone)} (${dateText(date, replies, { weekday: 'short' })})`
    return replies.elsewhere(clock(from), clock(to))
  }
  const [behind, ahead] = hoursAhead < 0 ? [to, from] : [from, to]
  const hours = Math.abs(hoursAhead)
  if (hours === 0) return replies.sameTime(cityOf(from.timeZone), cityOf(to.timeZone))
  const text = replies.hours(hours, new Intl.NumberFormat(replies.locale).format(hours))
  return replies.difference(`${cityOf(behind.timeZone)} (${behind.time})`, `${cityOf(ahead.timeZone)} (${ahead.time})`, text)
}

/** Answers a question about a date, in the visitor's language. */
export function dateAnswer({ aspect, unit }: DateRequest, result: DateTimeResult, replies: Replies): string {
  if ('error' in result) return replies.unknownDate
  if (result.kind === 'difference') return differenceAnswer(result, { aspect, unit }, replies)
  if (result.kind !== 'date') return replies.toolFailed
  const date = dateText(result.date, replies)
  const withWeekday = dateText(result.date, replies, { weekday: 'long' })
  const { daysFromToday: away } = result
  switch (aspect) {
    case 'weekday':
      return replies.weekday(date, weekdayText(result, replies), tenseOf(result))
    case 'week':
      return replies.week(withWeekday, Number(result.isoWeek.slice(-2)))
    case 'age':
      return away > 0 ? replies.notBorn : replies.age(date, result.fullYearsSince)
    case 'leap-year':
      return replies.leapYear(Number(result.date.slice(0, 4)), result.isLeapYear)
    case 'days-in-month':
      return replies.daysInMonth(monthText(result.date, replies), result.daysInMonth)
    case 'until':
    case 'since':
      if (away === 0) return replies.isToday(withWeekday)
      return spanAnswer(result.date, away, unit, replies)
    case 'difference':
      return spanAnswer(result.date, away, unit, replies)
    default:
      return replies.date(withWeekday)
  }
}

/** How long it is until a date, or since it; `away` is in days from today. */
function spanAnswer(date: string, away: number, unit: DateUnit | undefined, replies: Replies): string {
  const withWeekday = dateText(date, replies, { weekday: 'long' })
  const today = isoOf((parseDay(date) ?? 0) - away)
  return away > 0
    ? replies.daysUntil(lengthText(today, date, unit, replies), withWeekday)
    : replies.daysSince(lengthText(date, today, unit, replies), withWeekday)
}

/** A length of time in the unit asked for, with its days. */
function lengthText(from: string, to: string, unit: DateUnit | undefined, replies: Replies): string {
  const [first = 0, last = 0] = [parseDay(from), parseDay(to)]
  const days = last - first
  const inDays = replies.days(days)
  if (unit === undefined || days <= 0) return inDays
  if (unit !== 'weeks') {
    const period = periodBetween(first, last)
    return period.years + period.months > 0 ? `${replies.period(period)} (${inDays})` : inDays
  }
  const [weeks, rest] = [Math.floor(days / 7), days % 7]
  if (weeks === 0) return inDays
  return `${replies.weeks(weeks)}${rest > 0 ? ` ${replies.and} ${replies.days(rest)}` : ''} (${inDays})`
}

function differenceAnswer(
  { from, to, days, period }: DateDifference,
  { aspect, unit }: Pick<DateRequest, 'aspect' | 'unit'>,
  replies: Replies,
): string {
  if (aspect === 'until' && days >= 0)
    return days === 0
      ? replies.isToday(dateText(to, replies, { weekday: 'long' }))
      : replies.daysUntil(lengthText(from, to, unit, replies), dateText(to, replies, { weekday: 'long' }))
  if (aspect === 'until') return replies.daysSince(lengthText(to, from, unit, replies), dateText(to, replies, { weekday: 'long' }))
  const [first, last] = days < 0 ? [to, from] : [from, to]
  const isLong = period.years > 0 || period.months > 0
  return replies.daysBetween(
    lengthText(first, last, unit, replies),
    dateText(first, replies),
    dateText(last, replies),
    isLong && (unit === undefined || unit === 'weeks') ? ` (${replies.period(period)})` : '',
  )
}

function weekdayText({ date }: DateFacts, { locale }: Replies): string {
  return format(date, locale, { weekday: 'long' })
}

function monthText(date: string, { locale }: Replies): string {
  return format(date, locale, { month: 'long', year: 'numeric' })
}

function dateText(iso: string, { locale }: Replies, options: Intl.DateTimeFormatOptions = {}): string {
  return format(iso, locale, { day: 'numeric', month: 'long', year: 'numeric', ...options })
}

function format(iso: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  const text = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${iso}T00:00:00Z`))
  // British English has no comma after the weekday.
  return locale === 'en-GB' && options.weekday !== undefined ? text.replace(/^(\w+) (?=\d)/, '$1, ') : text
}

function cityOf(timeZone: string): string {
  return timeZone.replace(/^.*\//, '').replaceAll('_', ' ')
}
