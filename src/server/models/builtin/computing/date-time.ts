import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import {
  addPeriod,
  type Day,
  dayOf,
  dayOfYear,
  daysInMonth,
  isLeapYear,
  isoOf,
  isoWeekOf,
  parseDay,
  partsOf,
  type Period,
  periodBetween,
  WEEKDAYS,
  weekdayOf,
} from './calendar.ts'
import { type Holiday, holidayIn, HOLIDAYS } from './holidays.ts'
import { timeZoneOf } from './time-zones.ts'
import { zoneTimes, type ZoneTimes } from './zone-time.ts'

export interface CurrentTime {
  kind: 'now'
  place: string
  timeZone: string
  date: string
  time: string
  weekday: string
  utcOffset: string
  iso: string
}

export interface DateFacts {
  kind: 'date'
  /** `YYYY-MM-DD`. */
  date: string
  weekday: string
  /** `YYYY-Www`, ISO 8601. */
  isoWeek: string
  dayOfYear: number
  daysInMonth: number
  isLeapYear: boolean
  /** Negative for the past. */
  daysFromToday: number
  /** Full years since the date: a person's age. Negative before it. */
  fullYearsSince: number
}

export interface DateDifference {
  kind: 'difference'
  from: string
  to: string
  /** Negative when `to` is before `from`. */
  days: number
  /** The difference in full years, months and days. */
  period: { years: number; months: number; days: number }
}

export type DateTimeResult = CurrentTime | DateFacts | DateDifference | ZoneTimes | { error: string }

const MAX_PLACE_CHARACTERS = 80
const MAX_STEP = 100_000
const ISO_OR_MONTH_DAY = /^(?:\d{4}-)?\d{1,2}-\d{1,2}$/

const step = z.int().min(-MAX_STEP).max(MAX_STEP).optional()
const day = (description: string) => z.string().regex(ISO_OR_MONTH_DAY).optional().describe(description)

export const DateTimeInput = z.object({
  place: z
    .string()
    .max(MAX_PLACE_CHARACTERS)
    .optional()
    .describe('City, country or IANA time zone: Tokyo, Europe/Berlin. UTC unless given.'),
  toPlace: z
    .string()
    .max(MAX_PLACE_CHARACTERS)
    .optional()
    .describe('A second place: returns the time in both and the difference between them.'),
  time: z
    .string()
    .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/)
    .optional()
    .describe('With toPlace: what time is it there when it is this time (HH:MM) in place.'),
  date: day('YYYY-MM-DD, or MM-DD of this year: returns weekday, ISO week, days from today, full years since.'),
  until: day('YYYY-MM-DD, or MM-DD for the next one: returns the days from date (today unless given) to it.'),
  add: z
    .object({ years: step, months: step, weeks: step, days: step })
    .optional()
    .describe('Period to add to date (today unless given); negative to go back.'),
  holiday: z.enum(HOLIDAYS).optional().describe('Returns the date of the next one, or of the one in year.'),
  year: z.int().min(1583).max(9999).optional(),
  yearsFromNow: z.int().min(-400).max(400).optional().describe('Instead of year: 0 for this year, 1 for the next.'),
  weekday: z.enum(WEEKDAYS).optional().describe('Returns the date of the next such day after today.'),
})
export type DateTimeInput = z.infer<typeof DateTimeInput>

/** Dates and times: now in a place, between places, and calendar arithmetic. */
export function dateTimeTool(now: () => Date) {
  return tool({
    description:
      'Tells the current date and time in a place, the time in one place when it is a given time in another, and calculates with dates: ' +
      'days between two dates, a date some days, weeks, months or years before or after, weekday, ISO week, age, dates of holidays such as Easter. ' +
      'Without input: now, in UTC.',
    inputSchema: zodSchema(DateTimeInput),
    execute: (input): DateTimeResult => dateTime(input, now()),
  })
}

/** Answers a question about dates or times. Mistakes are returned as `error`, for the model. */
export function dateTime(input: DateTimeInput, now: Date): DateTimeResult {
  const { place, toPlace, time, date, until, add, holiday, year, yearsFromNow, weekday } = input
  if (toPlace !== undefined) return zoneTimes(place?.trim() || 'UTC', toPlace.trim(), time, now) ?? unknownPlace()
  const timeZone = place === undefined ? 'UTC' : timeZoneOf(place)
  if (timeZone === undefined) return unknownPlace()
  if (holiday === undefined && date === undefined && until === undefined && add === undefined && weekday === undefined)
    return dateTimeIn(place, now)
  const today = parseDay(isoLocal(now, timeZone).slice(0, 10)) as Day
  if (holiday !== undefined) return factsOf(holidayDay(holiday, year ?? yearFromNow(yearsFromNow, today), today), today)
  if (weekday !== undefined) return factsOf(nextWeekday(weekday, today), today)
  const from = date === undefined ? today : dayIn(partsOf(today).year, date)
  if (from === undefined) return unknownDate()
  if (until !== undefined) return differenceTo(from, until)
  return add === undefined ? factsOf(from, today) : moved(from, add, today)
}

/** The time at a place, in UTC without one; an `error` for an unknown place. */
export function dateTimeIn(place: string | undefined, at: Date): CurrentTime | { error: string } {
  const name = place?.trim() || 'UTC'
  const timeZone = timeZoneOf(name)
  if (timeZone === undefined) return unknownPlace()
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at)
  const utcOffset = offsetOf(at, timeZone)
  return {
    kind: 'now',
    place: name,
    timeZone,
    date: format({ day: 'numeric', month: 'long', year: 'numeric' }),
    time: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    weekday: format({ weekday: 'long' }),
    utcOffset: `UTC${utcOffset}`,
    iso: `${isoLocal(at, timeZone)}${utcOffset}`,
  }
}

function unknownPlace(): { error: string } {
  return { error: 'The time zone of this place is not known. Name a larger city nearby, or a time zone such as Europe/Berlin.' }
}

function unknownDate(): { error: string } {
  return { error: 'There is no such date. Dates are YYYY-MM-DD, from 1583 to 9999.' }
}

function yearFromNow(years: number | undefined, today: Day): number | undefined {
  return years === undefined ? undefined : partsOf(today).year + years
}

function holidayDay(holiday: Holiday, year: number | undefined, today: Day): Day {
  if (year !== undefined) return holidayIn(year, holiday)
  const thisYear = partsOf(today).year
  const next = holidayIn(thisYear, holiday)
  return next >= today ? next : holidayIn(thisYear + 1, holiday)
}

function nextWeekday(weekday: (typeof WEEKDAYS)[number], today: Day): Day {
  const ahead = (WEEKDAYS.indexOf(weekday) - weekdayOf(today) + WEEKDAYS.length) % WEEKDAYS.length
  return today + (ahead === 0 ? WEEKDAYS.length : ahead)
}

/** Dates without a year are in the current year. */
function dayIn(year: number, text: string): Day | undefined {
  const full = parseDay(text)
  if (full !== undefined || text.length > 5) return full
  const [month = 0, dayOfMonth = 0] = text.split('-').map(Number)
  return dayOf(year, month, dayOfMonth)
}

/** Dates without a year are the next occurrence. */
function differenceTo(from: Day, until: string): DateTimeResult {
  const { year } = partsOf(from)
  // 29 February recurs within eight years.
  const candidates = until.length > 5 ? [parseDay(until)] : Array.from({ length: 9 }, (_, later) => dayIn(year + later, until))
  const to = candidates.find((one) => one !== undefined && (until.length > 5 || one >= from))
  if (to === undefined) return unknownDate()
  const [first, last] = to < from ? [to, from] : [from, to]
  return { kind: 'difference', from: isoOf(from), to: isoOf(to), days: to - from, period: periodBetween(first, last) }
}

function moved(from: Day, period: Period, today: Day): DateTimeResult {
  const to = addPeriod(from, period)
  const { year, month, dayOfMonth } = Number.isFinite(to) ? partsOf(to) : { year: 0, month: 0, dayOfMonth: 0 }
  return dayOf(year, month, dayOfMonth) === undefined ? unknownDate() : factsOf(to, today)
}

function factsOf(date: Day, today: Day): DateFacts {
  const { year, month } = partsOf(date)
  const week = isoWeekOf(date)
  const [first, last] = date > today ? [today, date] : [date, today]
  const { years } = periodBetween(first, last)
  return {
    kind: 'date',
    date: isoOf(date),
    weekday: WEEKDAYS[weekdayOf(date)] as string,
    isoWeek: `${week.year}-W${String(week.week).padStart(2, '0')}`,
    dayOfYear: dayOfYear(date),
    daysInMonth: daysInMonth(year, month),
    isLeapYear: isLeapYear(year),
    daysFromToday: date - today,
    fullYearsSince: date > today ? -years : years,
  }
}

function offsetOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  return name.replace('GMT', '') || '+00:00'
}

function isoLocal(at: Date, timeZone: string): string {
  // Swedish dates and times have ISO 8601 format.
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  return new Intl.DateTimeFormat('sv-SE', options).format(at).replace(' ', 'T')
}
