import { type Day, dayOf, weekdayOf } from './calendar.ts'

/** Holidays with a fixed date, by month and day. */
const FIXED = {
  new_year: [1, 1],
  epiphany: [1, 6],
  valentines_day: [2, 14],
  labour_day: [5, 1],
  us_independence_day: [7, 4],
  bastille_day: [7, 14],
  german_unity_day: [10, 3],
  halloween: [10, 31],
  all_saints: [11, 1],
  st_nicholas: [12, 6],
  christmas_eve: [12, 24],
  christmas: [12, 25],
  new_years_eve: [12, 31],
} as const

/** Holidays by days from Easter Sunday, in the western churches. */
const FROM_EASTER = {
  shrove_tuesday: -47,
  ash_wednesday: -46,
  palm_sunday: -7,
  maundy_thursday: -3,
  good_friday: -2,
  easter: 0,
  easter_monday: 1,
  ascension: 39,
  pentecost: 49,
  whit_monday: 50,
  corpus_christi: 60,
} as const

export type Holiday = keyof typeof FIXED | keyof typeof FROM_EASTER | 'advent' | 'us_thanksgiving'

export const HOLIDAYS = [...Object.keys(FIXED), ...Object.keys(FROM_EASTER), 'advent', 'us_thanksgiving'] as Holiday[]

const DAYS_A_WEEK = 7
const THURSDAY = 4

/** The day of a holiday in a year from 1583 to 9999. */
export function holidayIn(year: number, holiday: Holiday): Day {
  if (holiday in FIXED) {
    const [month, dayOfMonth] = FIXED[holiday as keyof typeof FIXED]
    return date(year, month, dayOfMonth)
  }
  if (holiday in FROM_EASTER) return easterIn(year) + FROM_EASTER[holiday as keyof typeof FROM_EASTER]
  if (holiday === 'advent') return sundayBefore(date(year, 12, 25)) - 3 * DAYS_A_WEEK
  const first = date(year, 11, 1)
  return first + ((THURSDAY - weekdayOf(first) + DAYS_A_WEEK) % DAYS_A_WEEK) + 3 * DAYS_A_WEEK
}

/** `MM-DD` of a holiday that has the same date every year. */
export function fixedDateOf(holiday: Holiday): string | undefined {
  if (!(holiday in FIXED)) return undefined
  return FIXED[holiday as keyof typeof FIXED].map((part) => String(part).padStart(2, '0')).join('-')
}

function sundayBefore(day: Day): Day {
  return day - (weekdayOf(day) === 0 ? DAYS_A_WEEK : weekdayOf(day))
}

/** Meeus, Jones, Butcher: Easter Sunday of the Gregorian calendar. */
function easterIn(year: number): Day {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const rest = year % 100
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % DAYS_A_WEEK
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const sum = epact + weekday - 7 * late + 114
  return date(year, Math.floor(sum / 31), (sum % 31) + 1)
}

function date(year: number, month: number, dayOfMonth: number): Day {
  const day = dayOf(year, month, dayOfMonth)
  if (day === undefined) throw new RangeError('The year is not between 1583 and 9999.')
  return day
}
