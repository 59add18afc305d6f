import { useLanguage } from '../ui/language/language.ts'
import { t } from '../ui/language/translate.ts'

const localeNow = () => useLanguage.getState().locale
const DAY = { dateStyle: 'medium', timeZone: 'UTC' } as const

/** A number with at most so many digits after the point; two suit money. */
export const amountOf = (value: number, maximumFractionDigits = 2): string => value.toLocaleString(localeNow(), { maximumFractionDigits })

/** A share from 0 to 1, in per cent. */
export const percentOf = (share: number): string => share.toLocaleString(localeNow(), { style: 'percent', maximumFractionDigits: 0 })

/** A day of UTC, such as `2026-03-01`. */
export const dayOf = (day: string): string => t.time(day, DAY)

export const daysOf = (from: string, to: string): string =>
  from === to ? dayOf(from) : new Intl.DateTimeFormat(localeNow(), DAY).formatRange(Date.parse(from), Date.parse(to))

/** All of them in a sentence: "a, b, and c". */
export const listOf = (items: readonly string[]): string => new Intl.ListFormat(localeNow()).format(items)

/** Facts one after the other, without those that are empty. */
export const joined = (...facts: readonly (string | number | null | undefined | false)[]): string =>
  facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '')
    .map((fact) => (typeof fact === 'number' ? t.number(fact) : fact))
    .join(t(', '))

/** The lines of a text, without empty ones. */
export const linesIn = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

export const languageName = (tag: string): string => new Intl.DisplayNames(localeNow(), { type: 'language' }).of(tag) ?? tag

export function sizeOf(bytes: number): string {
  const [value, unit] = inUnits(bytes)
  return new Intl.NumberFormat(localeNow(), {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(value)
}

function inUnits(bytes: number): [value: number, unit: string] {
  if (bytes < 1024) return [bytes, 'byte']
  if (bytes < 1024 ** 2) return [bytes / 1024, 'kilobyte']
  return bytes < 1024 ** 3 ? [bytes / 1024 ** 2, 'megabyte'] : [bytes / 1024 ** 3, 'gigabyte']
}
