import { describe, expect, test } from 'vitest'
import { dateTime, type DateTimeInput } from './date-time.ts'
import { HOLIDAYS } from './holidays.ts'

const NOW = new Date('2026-11-18T14:20:00Z')
const ask = (input: DateTimeInput) => dateTime(input, NOW)

describe('date_time', () => {
  test.each([
    ['2026-11-18', 'Wednesday', '2026-W47', 0],
    ['1789-07-14', 'Tuesday', '1789-W29', -86_689],
    ['2024-12-30', 'Monday', '2025-W01', -688],
    ['2021-01-03', 'Sunday', '2020-W53', -2145],
    ['12-25', 'Friday', '2026-W52', 37],
  ])('knows weekday, ISO week and distance of %s', (date, weekday, isoWeek, daysFromToday) => {
    expect(ask({ date })).toMatchObject({ weekday, isoWeek, daysFromToday })
  })

  test.each([
    [{ date: '2026-03-01', until: '2026-04-15' }, 45],
    [{ date: '2026-04-15', until: '2026-03-01' }, -45],
    [{ until: '12-25' }, 37],
    [{ until: '11-17' }, 364],
    [{ until: '02-29' }, 468],
  ])('counts the days of %j', (input, days) => {
    expect(ask(input)).toMatchObject({ kind: 'difference', days })
  })

  test('counts full years, months and days', () => {
    expect(ask({ date: '2020-02-29', until: '2026-03-01' })).toMatchObject({ period: { years: 6, months: 0, days: 1 } })
    expect(ask({ date: '2026-01-31', until: '2026-03-01' })).toMatchObject({ period: { years: 0, months: 1, days: 1 } })
  })

  test.each([
    [{ add: { weeks: 3 } }, '2026-12-09'],
    [{ add: { days: -90 } }, '2026-08-20'],
    [{ add: { months: 6 } }, '2027-05-18'],
    [{ date: '2027-01-31', add: { months: 1 } }, '2027-02-28'],
    [{ date: '2024-02-29', add: { years: 1 } }, '2025-02-28'],
    [{ weekday: 'Wednesday' as const }, '2026-11-25'],
    [{ weekday: 'Friday' as const }, '2026-11-20'],
  ])('finds the date of %j', (input, date) => {
    expect(ask(input)).toMatchObject({ kind: 'date', date })
  })

  test('computes an age by past birthdays', () => {
    expect(ask({ date: '1990-11-18' })).toMatchObject({ fullYearsSince: 36 })
    expect(ask({ date: '1990-11-19' })).toMatchObject({ fullYearsSince: 35 })
  })

  test.each([
    ['easter', 2024, '2024-03-31'],
    ['easter', 2027, '2027-03-28'],
    ['easter', 1818, '1818-03-22'],
    ['easter', 2038, '2038-04-25'],
    ['good_friday', 2027, '2027-03-26'],
    ['ascension', 2027, '2027-05-06'],
    ['pentecost', 2027, '2027-05-16'],
    ['corpus_christi', 2027, '2027-05-27'],
    ['ash_wednesday', 2027, '2027-02-10'],
    ['advent', 2026, '2026-11-29'],
    ['advent', 2022, '2022-11-27'],
    ['us_thanksgiving', 2026, '2026-11-26'],
  ] as const)('knows %s of %i', (holiday, year, date) => {
    expect(ask({ holiday, year })).toMatchObject({ date })
  })

  test('finds the next date of every holiday, today included', () => {
    for (const holiday of HOLIDAYS)
      expect(ask({ holiday })).toMatchObject({ daysFromToday: expect.toSatisfy((days) => days >= 0 && days <= 365) })
    expect(dateTime({ holiday: 'christmas' }, new Date('2026-12-25T10:00:00Z'))).toMatchObject({ daysFromToday: 0 })
  })

  test.each([
    [{ place: 'New York', toPlace: 'Berlin', time: '15:00' }, '21:00', 6],
    [{ place: 'London', toPlace: 'Tokyo', time: '9:00' }, '18:00', 9],
    [{ place: 'Paris', toPlace: 'Mexico City', time: '10:30' }, '03:30', -7],
    [{ place: 'Berlin', toPlace: 'India' }, '19:50', 4.5],
  ])('returns the time in two places: %j', (input, time, hoursAhead) => {
    expect(ask(input)).toMatchObject({ kind: 'zones', to: { time }, hoursAhead })
  })

  test('considers the date and daylight saving time of both places', () => {
    expect(dateTime({ place: 'New York', toPlace: 'Sydney', time: '20:00' }, new Date('2026-07-01T12:00:00Z'))).toMatchObject({
      from: { date: '2026-07-01' },
      to: { date: '2026-07-02', time: '10:00' },
      hoursAhead: 14,
    })
  })

  test.each([
    { date: '2026-02-30' },
    { date: '1500-01-01' },
    { until: '13-01' },
    { date: '9999-12-31', add: { days: 1 } },
    { add: { years: 100_000 } },
    { place: 'Narnia', date: '2026-01-01' },
    { place: 'Berlin', toPlace: 'Narnia' },
  ])('rejects %j with a sentence', (input) => {
    expect(ask(input)).toEqual({ error: expect.stringMatching(/\.$/) })
  })
})
