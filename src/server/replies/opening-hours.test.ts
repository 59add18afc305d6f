import { describe, expect, test } from 'vitest'
import { OpeningHours, presenceAt } from './opening-hours.ts'

const BERLIN = OpeningHours.parse({
  timeZone: 'Europe/Berlin',
  open: ['Mon-Fri 08:00-12:00', 'Mon-Thu 13:00-17:00', 'Sat 09:00-12:30'],
  closed: ['2026-12-24', '2026-12-25'],
})
const at = (time: string, hours = BERLIN) => presenceAt(hours, new Date(time))

describe('opening hours', () => {
  test('are those of the place, in summer and in winter', () => {
    expect(at('2026-07-06T06:00:00Z')).toEqual({ isOpen: true, until: '2026-07-06T10:00:00.000Z' })
    expect(at('2026-12-07T06:59:59Z')).toEqual({ isOpen: false, until: '2026-12-07T07:00:00.000Z' })
  })

  test('end with the last minute, and say when they begin again', () => {
    expect(at('2026-12-07T10:59:59Z').isOpen).toBe(true)
    expect(at('2026-12-07T11:00:00Z')).toEqual({ isOpen: false, until: '2026-12-07T12:00:00.000Z' })
    // From Saturday to Monday.
    expect(at('2026-12-05T12:00:00Z')).toEqual({ isOpen: false, until: '2026-12-07T07:00:00.000Z' })
  })

  test('leave out the days on which it is closed', () => {
    expect(at('2026-12-23T16:30:00Z')).toEqual({ isOpen: false, until: '2026-12-26T08:00:00.000Z' })
  })

  test('hold on the day on which the clocks change', () => {
    const sundays = OpeningHours.parse({ timeZone: 'Europe/Berlin', open: ['Sun 01:00-10:00'] })
    expect(at('2026-03-29T00:30:00Z', sundays)).toEqual({ isOpen: true, until: '2026-03-29T08:00:00.000Z' })
    expect(at('2026-10-25T00:30:00Z', sundays)).toEqual({ isOpen: true, until: '2026-10-25T09:00:00.000Z' })
  })

  test('go on over midnight, and round the clock have no end that is near', () => {
    const night = OpeningHours.parse({ timeZone: 'Asia/Kolkata', open: ['Fri 20:00-24:00', 'Sat 00:00-04:00'] })
    expect(at('2026-12-04T16:00:00Z', night)).toEqual({ isOpen: true, until: '2026-12-04T22:30:00.000Z' })
    const late = OpeningHours.parse({ timeZone: 'Asia/Kolkata', open: ['Fri 20:00-04:00'] })
    expect(at('2026-12-04T20:00:00Z', late)).toEqual({ isOpen: true, until: '2026-12-04T22:30:00.000Z' })
    const always = OpeningHours.parse({ timeZone: 'UTC', open: ['Mon-Sun 00:00-24:00'] })
    expect(at('2026-12-04T16:00:00Z', always)).toEqual({ isOpen: true, until: null })
  })

  test.each([
    [{ timeZone: 'Berlin', open: ['Mon 08:00-17:00'] }],
    [{ timeZone: 'Europe/Berlin', open: [] }],
    [{ timeZone: 'Europe/Berlin', open: ['Monday 8-17'] }],
    [{ timeZone: 'Europe/Berlin', open: ['Mon 08:00-08:00'] }],
    [{ timeZone: 'Europe/Berlin', open: ['Mon 08:00-24:30'] }],
    [{ timeZone: 'Europe/Berlin', open: ['Mon 08:00-17:00'], closed: ['24.12.2026'] }],
  ])('with a mistake are refused: %j', (hours) => {
    expect(OpeningHours.safeParse(hours).success).toBe(false)
  })

  test('may go over the end of a week', () => {
    const weekend = OpeningHours.parse({ timeZone: 'UTC', open: ['Fri-Mon 08:00-17:00'] })
    expect(['04', '05', '06', '07', '08'].map((day) => at(`2026-12-${day}T10:00:00Z`, weekend).isOpen)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})
