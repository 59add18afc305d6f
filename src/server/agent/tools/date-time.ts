import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { timeZoneOf } from './time-zones.ts'

export type DateTimeResult =
  | { place: string; timeZone: string; date: string; time: string; weekday: string; utcOffset: string; iso: string }
  | { error: string }

const MAX_PLACE_CHARACTERS = 80

/** Date and time now, in UTC or in a place. */
export function dateTimeTool(now: () => Date) {
  return tool({
    description: 'Tells the current date, weekday and time in a city, country or IANA time zone; in UTC when no place is given.',
    inputSchema: zodSchema(
      z.object({ place: z.string().max(MAX_PLACE_CHARACTERS).optional().describe('For example: Tokyo, or Europe/Berlin') }),
    ),
    execute: ({ place }): DateTimeResult => dateTimeIn(place, now()),
  })
}

export function dateTimeIn(place: string | undefined, at: Date): DateTimeResult {
  const wanted = place?.trim() || 'UTC'
  const timeZone = timeZoneOf(wanted)
  if (timeZone === undefined)
    return { error: 'The time zone of this place is not known. Name a larger city nearby, or a time zone such as Europe/Berlin.' }
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at)
  const utcOffset = offsetOf(at, timeZone)
  return {
    place: wanted,
    timeZone,
    date: format({ day: 'numeric', month: 'long', year: 'numeric' }),
    time: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    weekday: format({ weekday: 'long' }),
    utcOffset: `UTC${utcOffset}`,
    iso: `${isoLocal(at, timeZone)}${utcOffset}`,
  }
}

function offsetOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  return name.replace('GMT', '') || '+00:00'
}

function isoLocal(at: Date, timeZone: string): string {
  // Swedish dates and times are written as ISO 8601 writes them.
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  return new Intl.DateTimeFormat('sv-SE', options).format(at).replace(' ', 'T')
}
