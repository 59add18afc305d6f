/** A date of the Gregorian calendar, as days since 1970-01-01. */
export type Day = number

const DAY_MS = 86_400_000
const DAYS_A_WEEK = 7
const THURSDAY = 4
const FIRST_YEAR = 1583
const LAST_YEAR = 9999

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export interface Period {
  years?: number | undefined
  months?: number | undefined
  weeks?: number | undefined
  days?: number | undefined
}

/** The day of a year, month (1–12) and day of month; `undefined` if it doesn't exist or is outside of 1583–9999. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR) return undefined
  const day = utcDay(year, month, dayOfMonth)
  const date = partsOf(day)
  return date.month === month && date.dayOfMonth === dayOfMonth ? day : undefined
}

/** The day of `YYYY-MM-DD`. */
export function parseDay(text: string): Day | undefined {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  return year === undefined ? undefined : dayOf(Number(year), Number(month), Number(dayOfMonth))
}

/** `YYYY-MM-DD`. */
export function isoOf(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Year, month (from 1) and day of the month. */
export function partsOf(day: Day): { year: number; month: number; dayOfMonth: number } {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() }
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + THURSDAY) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK
}

/** ISO 8601: a week belongs to the year of its Thursday. */
export function isoWeekOf(day: Day): { year: number; week: number } {
  const thursday = day - ((weekdayOf(day) + 6) % DAYS_A_WEEK) + 3
  const { year } = partsOf(thursday)
  return { year, week: 1 + Math.floor((thursday - utcDay(year, 1, 1)) / DAYS_A_WEEK) }
}

/** Number of days of a month (from 1). */
export function daysInMonth(year: number, month: number): number {
  return utcDay(year, month + 1, 1) - utcDay(year, month, 1)
}

/** Number of the day in its year, from 1. */
export function dayOfYear(day: Day): number {
  return day - utcDay(partsOf(day).year, 1, 1) + 1
}

export function isLeapYear(year: number): boolean {
  return daysInMonth(year, 2) === 29
}

/** Adds a period, which may be negative. Shorter months end at their last day: 31 January plus one month is 28 February. */
export function addPeriod(day: Day, { years = 0, months = 0, weeks = 0, days = 0 }: Period): Day {
  const { year, month, dayOfMonth } = partsOf(day)
  const first = partsOf(utcDay(year + years, month + months, 1))
  const moved = utcDay(first.year, first.month, Math.min(dayOfMonth, daysInMonth(first.year, first.month)))
  return moved + weeks * DAYS_A_WEEK + days
}

/** Full years, months and days between two days. */
export function periodBetween(from: Day, to: Day): { years: number; months: number; days: number } {
  const start = partsOf(from)
  const end = partsOf(to)
  let months = (end.year - start.year) * 12 + end.month - start.month
  if (addPeriod(from, { months }) > to) months -= 1
  return { years: Math.trunc(months / 12), months: months % 12, days: to - addPeriod(from, { months }) }
}

// `Date.UTC` maps years below 100 to the 20th century; years here are at least 1583.
function utcDay(year: number, month: number, dayOfMonth: number): Day {
  return Date.UTC(year, month - 1, dayOfMonth) / DAY_MS
}
