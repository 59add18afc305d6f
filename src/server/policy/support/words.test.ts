import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { MONTH_WORDS, WEEKDAY_ABBREVIATIONS, WEEKDAY_WORDS } from './calendar-words.ts'
import { MULTIPLIERS, NUMBER_WORDS } from './number-words.ts'
import { PERIOD_WORDS, unitOf } from './units.ts'

/** 2024 began on a Monday. */
const written = (language: string, month: number, day: number, options: Intl.DateTimeFormatOptions, part: 'month' | 'weekday') =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    .formatToParts(new Date(Date.UTC(2024, month - 1, day)))
    .find(({ type }) => type === part)!
    .value.toLowerCase()
    .replace('.', '')
const numbered = (length: number, wordOf: (number: number) => string, values: ReadonlyMap<string, number>) =>
  Array.from({ length }, (_, at) => values.get(wordOf(at + 1)))
const upTo = (length: number) => Array.from({ length }, (_, at) => at + 1)

test.each(PAGE_LANGUAGES)('knows the weekdays of the language "%s"', (language) => {
  expect(numbered(7, (day) => written(language, 1, day, { weekday: 'long' }, 'weekday'), WEEKDAY_WORDS)).toEqual(upTo(7))
})

test.each(['de', 'es', 'it', 'ru'])('knows the abbreviated weekdays of the language "%s"', (language) => {
  expect(numbered(7, (day) => written(language, 1, day, { weekday: 'short' }, 'weekday'), WEEKDAY_ABBREVIATIONS)).toEqual(upTo(7))
})

test.each(['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'ar'])('knows the months of the language "%s" in dates', (language) => {
  expect(numbered(12, (month) => written(language, month, 5, { day: 'numeric', month: 'long' }, 'month'), MONTH_WORDS)).toEqual(upTo(12))
})

const SOME_MINUTES = ['minute', 'hour', 'day', 'week'] as const
test.each([
  ...SOME_MINUTES.map((unit, at) => [unit, 'time', [1, 60, 1_440, 10_080][at], PAGE_LANGUAGES] as const),
  ['second', 'time', 1 / 60, ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'hi', 'ja', 'ko']] as const,
  ['month', 'months', 1, PAGE_LANGUAGES] as const,
  ['year', 'months', 12, PAGE_LANGUAGES] as const,
  ['millimeter', 'length', 0.001, ['en', 'de', 'fr', 'es', 'pt']] as const,
  ['centimeter', 'length', 0.01, ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru']] as const,
  ['meter', 'length', 1, PAGE_LANGUAGES] as const,
  ['kilometer', 'length', 1_000, ['en', 'de', 'fr', 'es', 'it', 'pt', 'ru', 'hi', 'zh', 'ja', 'ko']] as const,
  ['liter', 'volume', 1, PAGE_LANGUAGES] as const,
  ['gram', 'mass', 1, ['en', 'de', 'fr', 'es', 'it', 'ru', 'zh', 'ja']] as const,
  ['kilogram', 'mass', 1_000, ['en', 'de', 'fr', 'es', 'it', 'ru', 'ar', 'hi', 'zh', 'ja', 'ko']] as const,
])('knows the unit "%s"', (unit, dimension, factor, languages) => {
  for (const language of languages) {
    const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).formatToParts(5)
    const word = parts
      .find(({ type }) => type === 'unit')!
      .value.trim()
      .toLowerCase()
    expect([word, unitOf(word)]).toEqual([word, { dimension, factor }])
  }
})

test('compares longer and shorter units of the same kind', () => {
  const factorOf = (word: string) => unitOf(word)?.factor ?? Number.NaN
  expect(factorOf('fortnight')).toBe(2 * factorOf('week'))
  expect(factorOf('semester')).toBe(6 * factorOf('month'))
  expect(factorOf('quartal')).toBe(3 * factorOf('month'))
  expect(factorOf('decade')).toBe(10 * factorOf('year'))
  expect(factorOf('tonne')).toBe(1_000 * factorOf('kg'))
  expect(factorOf('m³')).toBe(1_000 * factorOf('litre'))
  expect(factorOf('cent')).toBe(factorOf('euro') / 100)
  expect([unitOf('m²'), unitOf('square', 'metres'), unitOf('metri', 'quadrati')]).toEqual(
    Array.from({ length: 3 }, () => ({ dimension: 'area', factor: 1 })),
  )
  expect([unitOf('m³'), unitOf('cubic', 'metres'), unitOf('metri', 'cubi')]).toEqual(
    Array.from({ length: 3 }, () => ({ dimension: 'volume', factor: 1_000 })),
  )
  expect(unitOf('square', 'km')).toEqual({ dimension: 'area', factor: 1_000_000 })
  const workdays = { dimension: 'workdays', factor: 1 }
  expect([unitOf('business', 'days'), unitOf('jours', 'ouvrables'), unitOf('werktage')]).toEqual([workdays, workdays, workdays])
  // Only a length has a square.
  expect(unitOf('week', 'square')).toEqual({ dimension: 'time', factor: 10_080 })
})

test('tells currencies apart', () => {
  const words = [
    '€',
    '$',
    '£',
    'franken',
    '元',
    '円',
    '원',
    '₹',
    'rupees',
    '₽',
    'reais',
    'dirham',
    'dinar',
    'riyal',
    'جنيه',
    'mile',
    'foot',
    '%',
  ]
  expect(words.map((word) => unitOf(word))).toEqual(
    'euro dollar pound franc yuan yen won rupee rupee rouble real dirham dinar riyal egyptian mile foot percent'
      .split(' ')
      .map((dimension) => ({ dimension, factor: 1 })),
  )
})

test.each([
  ['fortnightly', 'fortnight'],
  ['hourly', 'hour'],
  ['täglich', 'tag'],
  ['hebdomadaire', 'semaine'],
  ['mensual', 'mes'],
  ['quarterly', 'quarter'],
  ['trimestriel', 'trimestre'],
  ['halbjährlich', 'halbjahr'],
  ['annuale', 'anno'],
])('"%s" is once a "%s"', (period, unit) => {
  expect(PERIOD_WORDS.get(period)).toEqual(unitOf(unit))
})

test.each([
  ['two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'],
  ['zwei drei vier fünf sechs sieben acht neun zehn elf~de zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'],
  ['deux trois quatre cinq six sept huit neuf~fr dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt'],
  [
    'dos~es tres cuatro cinco seis siete ocho nueve diez once~es doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  ],
  ['second third fourth fifth sixth seventh eighth ninth tenth'],
  ['zweite dritte vierte fünfte sechste siebte achte neunte zehnte'],
  ['deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième'],
])('counts from two on: %s', (words) => {
  const list = words.split(' ')
  expect(list.map((word) => NUMBER_WORDS.get(word))).toEqual(list.map((_, at) => at + 2))
})

test('knows round and composed numbers', () => {
  const valueOf = (word: string) => NUMBER_WORDS.get(word)
  expect('thirty forty fifty sixty seventy eighty ninety hundred'.split(' ').map(valueOf)).toEqual([30, 40, 50, 60, 70, 80, 90, 100])
  expect(['einundzwanzig', 'neunundneunzig', 'zweihundert', 'novecento', 'сто'].map(valueOf)).toEqual([21, 99, 200, 900, 100])
  expect(['quatre-vingt', 'quatre-vingts', 'venticinque', 'veintiuno', 'dutzend', 'dozen'].map(valueOf)).toEqual([80, 80, 25, 21, 12, 12])
  expect(valueOf('-')).toBeUndefined()
  expect(['hundred', 'mille', 'millones', 'milliarden', 'lakh'].map((word) => MULTIPLIERS.get(word))).toEqual([1e2, 1e3, 1e6, 1e9, 1e5])
})
