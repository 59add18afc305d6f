import { fold } from '../../../../text/fold.ts'
import { FOREIGN_UNIT_NAMES } from './unit-names.ts'
import { convert, getMeasureKind, type Unit } from 'convert'
import { formatNumber } from './format-number.ts'

export type ConvertResult = { amount: number; from: string; to: string; result: number; text: string } | { error: string }

/** Larger amounts lose digits. */
const LARGEST_AMOUNT = 1e30

/** Units that the library lacks or spells differently. */
const ALIASES = new Map<string, Unit>([
  ['centigrade', 'celsius'],
  ['degrees celsius', 'celsius'],
  ['degree celsius', 'celsius'],
  ['degrees c', 'celsius'],
  ['°c', 'celsius'],
  ['c', 'celsius'],
  ['degrees fahrenheit', 'fahrenheit'],
  ['degree fahrenheit', 'fahrenheit'],
  ['degrees f', 'fahrenheit'],
  ['°f', 'fahrenheit'],
  ['f', 'fahrenheit'],
  ['lbs', 'lb'],
  ['kgs', 'kg'],
  ['kilos', 'kg'],
  ['kilo', 'kg'],
  ['kms', 'km'],
  ['mins', 'min'],
  ['hrs', 'hours'],
  ['hr', 'hours'],
  ['secs', 's'],
  ['ounce', 'oz'],
  ['feets', 'ft'],
  ['foot', 'ft'],
  ['feet', 'ft'],
  ['sqm', 'm2'],
  ['sq m', 'm2'],
  ['sqft', 'square feet'],
  ['horsepower', 'hp'],
])

/** Speeds in metres per second and food energy in joules, which the library lacks. */
const FURTHER_MEASURES: ReadonlyMap<string, number>[] = [
  new Map([
    ...['km/h', 'kmh', 'kph', 'kilometers per hour', 'kilometres per hour'].map((name): [string, number] => [name, 1 / 3.6]),
    ...['mph', 'mi/h', 'miles per hour'].map((name): [string, number] => [name, 0.44704]),
    ...['m/s', 'meters per second', 'metres per second'].map((name): [string, number] => [name, 1]),
    ...['knots', 'knot', 'kn'].map((name): [string, number] => [name, 1852 / 3600]),
    ...['ft/s', 'feet per second'].map((name): [string, number] => [name, 0.3048]),
  ]),
  new Map([
    ...['cal', 'calorie', 'calories'].map((name): [string, number] => [name, 4.184]),
    ...['kcal', 'kilocalorie', 'kilocalories'].map((name): [string, number] => [name, 4184]),
    ...['j', 'joule', 'joules'].map((name): [string, number] => [name, 1]),
    ...['kj', 'kilojoule', 'kilojoules'].map((name): [string, number] => [name, 1000]),
    ...['kwh', 'kilowatt hours', 'kilowatt hour'].map((name): [string, number] => [name, 3_600_000]),
  ]),
]

/** Converts an amount, or returns why it can't. */
export function convertAmount(amount: number, from: string, to: string): ConvertResult {
  if (!(Math.abs(amount) <= LARGEST_AMOUNT)) return { error: 'The amount is too large to convert.' }
  const result = convertFurther(amount, from, to) ?? convertKnown(amount, from, to)
  if (typeof result !== 'number') return result
  return { amount, from, to, result, text: `${formatNumber(amount)} ${from} = ${formatNumber(readable(result))} ${to}` }
}

/** Whether the text names a unit that can be converted. */
export function isUnit(text: string): boolean {
  return unitOf(text) !== undefined || FURTHER_MEASURES.some((factors) => factors.has(englishName(text)))
}

function convertFurther(amount: number, from: string, to: string): number | undefined {
  for (const factors of FURTHER_MEASURES) {
    const source = factors.get(englishName(from))
    const target = factors.get(englishName(to))
    if (source !== undefined && target !== undefined) return (amount * source) / target
  }
  return undefined
}

function convertKnown(amount: number, from: string, to: string): number | { error: string } {
  const source = unitOf(from)
  const target = unitOf(to)
  if (source === undefined || target === undefined) return { error: 'One of the units is not known.' }
  if (getMeasureKind(source) !== getMeasureKind(target))
    return { error: 'These two units measure different things and cannot be converted into each other.' }
  return convert(amount, source as 'm').to(target as 'm')
}

function unitOf(text: string): Unit | undefined {
  const exact = text.trim()
  const lower = exact.toLowerCase()
  const names = [ALIASES.get(lower) ?? '', exact, lower, lower.replace(/s$/, ''), `${lower}s`, FOREIGN_UNIT_NAMES.get(fold(lower)) ?? '']
  return names.find(isKnownUnit)
}

/** English unit name in lower case, if known. */
function englishName(text: string): string {
  const lower = text.trim().toLowerCase()
  return FOREIGN_UNIT_NAMES.get(fold(lower)) ?? lower
}

// The library's table is a plain object: `constructor` is found on it, but is no unit.
function isKnownUnit(name: string): name is Unit {
  return name !== '' && !(name in Object.prototype) && getMeasureKind(name as Unit) !== undefined
}

const CONVERTED_DIGITS = 7

function readable(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(CONVERTED_DIGITS))
}
