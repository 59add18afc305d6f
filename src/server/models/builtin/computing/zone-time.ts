import { timeZoneOf } from './time-zones.ts'

export interface Clock {
  place: string
  timeZone: string
  /** `YYYY-MM-DD`. */
  date: string
  /** `HH:MM`. */
  time: string
}

export interface ZoneTimes {
  kind: 'zones'
  from: Clock
  to: Clock
  /** Hours that the second place is ahead of the first at that time; negative if behind. */
  hoursAhead: number
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Local time in one place when it is `HH:MM` today, or now, in another; `undefined` for an unknown place. */
export function zoneTimes(fromPlace: string, toPlace: string, time: string | undefined, now: Date): ZoneTimes | undefined {
  const fromZone = timeZoneOf(fromPlace)
  const toZone = timeZoneOf(toPlace)
  if (fromZone === undefined || toZone === undefined) return undefined
  const at = time === undefined ? now : instantOf(localOf(now, fromZone).date, time, fromZone)
  return {
    kind: 'zones',
    from: { place: fromPlace, timeZone: fromZone, ...localOf(at, fromZone) },
    to: { place: toPlace, timeZone: toZone, ...localOf(at, toZone) },
    hoursAhead: (offsetMs(at, toZone) - offsetMs(at, fromZone)) / HOUR_MS,
  }
}

/** Local date and time. */
function localOf(at: Date, timeZone: string): { date: string; time: string } {
  // Swedish dates and times have ISO 8601 format.
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .split(' ')
  return { date, time }
}

function offsetMs(at: Date, timeZone: string): number {
  const { date, time } = localOf(at, timeZone)
  const shown = Date.parse(`${date}T${time}:00Z`)
  return shown - Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
}

/** The instant of a local time. In the hour that a clock change skips, the time after it. */
function instantOf(date: string, time: string, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T${time.padStart(5, '0')}:00Z`)
  const first = new Date(asUtc - offsetMs(new Date(asUtc), timeZone))
  return new Date(asUtc - offsetMs(first, timeZone))
}
