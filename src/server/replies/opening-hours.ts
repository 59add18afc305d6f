import { z } from 'zod'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const SPAN = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?:-(Sun|Mon|Tue|Wed|Thu|Fri|Sat))? ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/
const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * 60_000
/** Longer holidays are not looked over: when it opens again is then unknown. */
const MAX_DAYS = 90

export interface Span {
  /** Days of the week, 0 for Sunday. */
  days: number[]
  /** Minutes since midnight; on the next day beyond 24 hours. */
  from: number
  to: number
}

/** Weekly opening hours, such as `Mon-Fri 08:00-17:00` or, over midnight, `Fri 22:00-02:00`, and the dates on which it is closed, in a time zone. */
export const OpeningHours = z.strictObject({
  timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
  open: z.array(z.string().transform(readSpan)).min(1).max(50),
  closed: z
    .array(z.iso.date('must be a date such as 2026-12-24'))
    .max(400)
    .nullish()
    .transform((dates) => dates ?? []),
})
export type OpeningHours = z.output<typeof OpeningHours>

/** Whether it is open, and until when that stays so, in ISO 8601; `null` if no change is near. */
export interface Presence {
  isOpen: boolean
  until: string | null
}

export function presenceAt(hours: OpeningHours, now: Date): Presence {
  const today = localDay(hours.timeZone, now)
  const horizon = today + MAX_DAYS * DAY_MS
  // What began yesterday may go on.
  for (const { from, to } of spansBetween(hours, today - DAY_MS, horizon)) {
    if (to <= now.getTime()) continue
    const [isOpen, until] = from <= now.getTime() ? [true, to] : [false, from]
    return { isOpen, until: until < horizon - DAY_MS ? new Date(until).toISOString() : null }
  }
  return { isOpen: false, until: null }
}

interface Instants {
  /** Milliseconds since the epoch. */
  from: number
  to: number
}

/** The times at which it is open, earliest first; neighbouring spans are one, also over midnight. */
function* spansBetween(hours: OpeningHours, first: number, end: number): Generator<Instants, void, undefined> {
  let current: Instants | undefined
  for (let day = first; day < end; day += DAY_MS) {
    for (const span of spansOn(hours, day)) {
      if (current && span.from <= current.to) {
        current.to = Math.max(current.to, span.to)
        continue
      }
      if (current) yield current
      current = span
    }
  }
  if (current) yield current
}

function spansOn({ timeZone, open, closed }: OpeningHours, day: number): Instants[] {
  const date = new Date(day)
  if (closed.includes(date.toISOString().slice(0, 10))) return []
  const at = (minutes: number) => instantOf(timeZone, day + minutes * 60_000)
  return open
    .filter(({ days }) => days.includes(date.getUTCDay()))
    .map(({ from, to }) => ({ from: at(from), to: at(to) }))
    .toSorted((one, other) => one.from - other.from)
}

/** Midnight of the day that it is there, as if it were UTC. */
function localDay(timeZone: string, now: Date): number {
  return Math.floor((now.getTime() + offsetAt(timeZone, now.getTime())) / DAY_MS) * DAY_MS
}

/** The instant at which clocks there show a time, which is given as if it were UTC. */
function instantOf(timeZone: string, local: number): number {
  // The offset may change between the two.
  const guess = local - offsetAt(timeZone, local)
  return local - offsetAt(timeZone, guess)
}

/** By time zone: they are slow to create. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function offsetAt(timeZone: string, instant: number): number {
  const format = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, format)
  return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function readSpan(text: string, context: z.RefinementCtx<string>): Span {
  const [, first, last = first, ...clock] = SPAN.exec(text.trim()) ?? []
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = clock.map(Number)
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
  const [start, end] = [first, last].map((name) => DAYS.findIndex((day) => day === name))
  if (start === undefined || end === undefined || start < 0 || to === from || to > DAY_MINUTES) {
    context.addIssue({ code: 'custom', message: 'must be hours of a day such as Mon-Fri 08:00-17:00', input: text })
    return z.NEVER
  }
  return {
    days: Array.from({ length: ((end - start + 7) % 7) + 1 }, (_, index) => (start + index) % 7),
    from,
    to: to < from ? to + DAY_MINUTES : to,
  }
}
