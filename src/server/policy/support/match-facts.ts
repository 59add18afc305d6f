import type { PageLanguage } from '../../../contract/page-languages.ts'
import type { Claims } from './read-claims.ts'
import type { Fact, NumberFact } from './read-facts.ts'
import { ROUNDING } from './logic-words.ts'
import { isTimeUnit, type Unit } from './units.ts'

/** A text that can support sentences, read once. */
export interface Evidence {
  text: string
  language: PageLanguage | null
  sentences: readonly Claims[]
  facts: readonly Fact[]
}

const MANY_DAYS = 4
const HALF_DAY = 720
const CLOSES = /^(?:closes|schließt|ruht|ferme|cierra|cierran|chiude|chiudono|fecha|fecham|закрывается)$/
const LONG_NUMBER = 10_000
/** How far a number after "about" may be from the one in the source. */
const ROUNDING_SHARE = 0.1

/** "the 1st of May", "line 1": sources write many of these in words. */
const isBareOne = ({ values, unit }: NumberFact): boolean => unit === null && values[0] === 1

/** "two ways:" counts what follows. */
export function isSmallCount(fact: Fact): boolean {
  return fact.kind === 'number' && fact.unit === null && (fact.values[0] ?? 0) <= 10
}

/** Whether a fact of a sentence is among the facts of its sources, in whatever spelling or unit. */
export function isStated(fact: Fact, claims: Claims, stated: readonly Fact[], evidence: readonly Evidence[]): boolean {
  switch (fact.kind) {
    case 'number':
      if (fact.isLoose || isBareOne(fact)) return true
      if (fact.values[0] === 0 && isFreeIn(evidence)) return true
      return (
        stated.some((other) => isSameNumber(fact, other, stated) || isRounded(fact, other, claims)) ||
        isLongNumberIn(fact.values[0] ?? 0, evidence)
      )
    case 'unit':
      return !fact.isRate || isEveryDay(fact, claims) || stated.some((other) => isSameUnit(fact.unit, other))
    case 'time':
      return stated.some((other) => isSameTime(fact.minutes, other))
    case 'month':
      return stated.some((other) => isSameMonth(fact, other, stated))
    case 'weekdays':
      if (fact.days.length === 7 && stated.some((other) => other.kind === 'unit' && other.unit.factor === 1_440)) return true
      if (isClosedOn(fact, claims, stated)) return true
      return fact.days.every((day) => stated.some((other) => other.kind === 'weekdays' && other.days.includes(day)))
    case 'address':
      return evidence.some(({ text }) => (/^\d+$/.test(fact.text) ? digitsOf(text).includes(fact.text) : text.includes(fact.text)))
  }
}

/** Whether the unit is that of "every day" or "daily", which is compared as seven weekdays. */
function isEveryDay({ at }: Fact, { clauses }: Claims): boolean {
  return clauses.some(({ facts }) => facts.some((other) => other.kind === 'weekdays' && other.days.length === 7 && other.at === at))
}

/** Whether the sentence says that something is closed on days that are left out of the many days on which the source says that it is open. */
function isClosedOn(fact: Extract<Fact, { kind: 'weekdays' }>, { clauses, tokens }: Claims, stated: readonly Fact[]): boolean {
  const open = new Set(stated.flatMap((other) => (other.kind === 'weekdays' ? other.days : [])))
  const isClosed =
    clauses.some(({ facts, isNegative }) => isNegative && facts.includes(fact)) || tokens.some(({ text }) => CLOSES.test(text))
  // "daily, except on Mondays"
  if (fact.days.length === 7 && clauses.some(({ isAmbiguous }) => isAmbiguous)) return open.size >= MANY_DAYS
  return isClosed && open.size >= MANY_DAYS && fact.days.every((day) => !open.has(day))
}

/** Whether two facts state the same number. `stated`: all facts of the passage, which can supply a missing unit. */
export function isSameNumber({ values, unit }: NumberFact, other: Fact, stated: readonly Fact[]): boolean {
  if (other.kind === 'unit') return unit !== null && isSameMeasure(values, unit, [1], other.unit) && isTimeUnit(unit)
  if (other.kind === 'time' && unit?.dimension === 'time') return values.some((value) => other.minutes.includes(value * unit.factor))
  if (other.kind === 'time') return values.some((value) => isHourOf(value, other.minutes)) && unit === null
  if (other.kind !== 'number') return false
  const isEqual = values.some((value) => other.values.some((one) => isClose(value, one)))
  if (unit === null) return isEqual
  if (other.unit === null)
    return isEqual && stated.some((one) => 'unit' in one && one.unit?.dimension === unit.dimension && one.unit.factor === unit.factor)
  return isSameMeasure(values, unit, other.values, other.unit)
}

/** "about 400", "over 400" for 412. */
function isRounded({ values, unit, at }: NumberFact, other: Fact, { tokens }: Claims): boolean {
  if (other.kind !== 'number' || (unit?.dimension ?? null) !== (other.unit?.dimension ?? unit?.dimension ?? null)) return false
  if (!tokens.slice(Math.max(0, at - 3), at).some(({ text }) => ROUNDING.has(text))) return false
  const factor = (unit?.factor ?? 1) / (other.unit?.factor ?? unit?.factor ?? 1)
  return values.some((value) => other.values.some((one) => Math.abs(value * factor - one) <= ROUNDING_SHARE * one))
}

function isSameMeasure(values: readonly number[], unit: Unit, others: readonly number[], other: Unit): boolean {
  return (
    unit.dimension === other.dimension && values.some((value) => others.some((one) => isClose(value * unit.factor, one * other.factor)))
  )
}

const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one))

function isHourOf(value: number, minutes: readonly number[]): boolean {
  return minutes.some((one) => one === value * 60 || (value <= 12 && one % 720 === (value % 12) * 60))
}

function isSameUnit(unit: Unit, other: Fact): boolean {
  if (other.kind !== 'number' && other.kind !== 'unit') return false
  if (other.unit?.dimension !== unit.dimension) return false
  return (
    other.unit.factor === unit.factor ||
    (other.kind === 'number' && other.values.some((value) => isClose(value * (other.unit?.factor ?? 0), unit.factor)))
  )
}

function isSameTime(minutes: readonly number[], other: Fact): boolean {
  if (other.kind === 'time') return minutes.some((one) => other.minutes.includes(one))
  if (other.kind === 'number' && other.unit?.dimension === 'time')
    return other.values.some((value) => minutes.includes(value * (other.unit?.factor ?? 0)))
  if (other.kind !== 'number' || (other.unit !== null && !(other.unit.dimension === 'time' && other.unit.factor === 60))) return false
  return minutes.some((one) => other.values.some((value) => value <= 24 && [dotted(value), dotted(value) + HALF_DAY].includes(one)))
}

function isSameMonth({ month, day }: Extract<Fact, { kind: 'month' }>, other: Fact, stated: readonly Fact[]): boolean {
  if (other.kind !== 'month' || other.month !== month) return false
  if (day === null || other.day === null || other.day === day) return true
  // The first day of a range, such as "20 to 31 December", or of a list.
  return stated.some(
    (one) =>
      one.kind === 'number' &&
      one.values.includes(day) &&
      !stated.some((date) => date.kind === 'month' && date.day === day && date.month !== month),
  )
}

/** 18 or 18.30 as a time. */
const dotted = (value: number): number => Math.floor(value) * 60 + Math.round((value % 1) * 100)

/** Telephone and file numbers may be written with other separators. */
function isLongNumberIn(value: number, evidence: readonly Evidence[]): boolean {
  return value >= LONG_NUMBER && evidence.some(({ text }) => digitsOf(text).includes(String(value)))
}

/** Whether a source says that something is free, which "0 euros" says too. */
function isFreeIn(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ sentences }) => sentences.some(({ clauses }) => clauses.some(({ isAmbiguous }) => isAmbiguous)))
}

const digitsOf = (text: string): string => text.replace(/(?<=\d)[\s/.,'’()-]+(?=\d)/g, '')
