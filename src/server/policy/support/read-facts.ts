import { DAY_GROUPS, MONTH_WORDS, RANGE_WORDS, WEEKDAY_ABBREVIATIONS, WEEKDAY_WORDS } from './calendar-words.ts'
import {
  FRACTION_WORDS,
  HALF_WORDS,
  hanNumber,
  MULTIPLIERS,
  NUMBER_WORDS,
  ONE_AND_HALF_WORDS,
  ONE_WORDS,
  WEAK_HALF_WORDS,
} from './number-words.ts'
import { isCjk, type Token } from './tokens.ts'
import { MONEY, PERIOD_WORDS, RATE_WORDS, type Unit, unitOf } from './units.ts'

/** Something in a text that another text can confirm. `at` is the index of its token. */
export type Fact =
  /** `values`: all readings of what is written, such as 1.250. A loose one confirms, and needs no confirmation. */
  | { kind: 'number'; values: number[]; unit: Unit | null; at: number; isLoose?: true }
  /** A unit without a number: "per month" (`isRate`), "a further year". */
  | { kind: 'unit'; unit: Unit; isRate: boolean; at: number }
  /** Minutes since midnight; two readings if it may be in the morning or the evening. */
  | { kind: 'time'; minutes: number[]; at: number }
  | { kind: 'month'; month: number; day: number | null; at: number }
  | { kind: 'weekdays'; days: readonly number[]; at: number }
  | { kind: 'address'; text: string; at: number }

export type NumberFact = Extract<Fact, { kind: 'number' }>

const HALF_DAY = 720
/** After a number: "three quarters". */
const PARTS: ReadonlyMap<string, number> = new Map([
  ...'viertel quarts cuartos quarti quartos четверти'.split(' ').map((word) => [word, 25] as const),
  ...'thirds drittel tiers tercios terzi terços трети'.split(' ').map((word) => [word, 33] as const),
  ['quarters', 25],
])
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]
/** Before "day"; "les" and "los" stand after "tous" and "todos". */
const EVERY = /^(?:every|each|jeden|jedem|les|los|ogni|todos|каждый|हर)$/
const PERCENT: Unit = { dimension: 'percent', factor: 1 }
const HAN_NUMERAL = /^[〇一二三四五六七八九十百千两零]$/
/** Words that are English months and something else. */
const CAPITALISED_MONTHS: readonly string[] = ['may', 'march', 'mar', 'sep', 'sept', 'dec', 'jan', 'set']
const MONTH_PREPOSITIONS = new Set('in of until by since from before after and to'.split(' '))
const NAMED_TIMES: ReadonlyMap<string, number> = new Map([
  ...'noon midday mittag mittags midi mediodía mezzogiorno meio-dia полдень полудня 正午 정오'
    .split(' ')
    .map((word) => [word, 720] as const),
  ...'midnight mitternacht minuit medianoche mezzanotte meia-noite полночь полуночи 자정'.split(' ').map((word) => [word, 0] as const),
])
const PAST: Readonly<Record<string, number>> = {
  'half past': 30,
  'quarter past': 15,
  'quarter to': -15,
  'viertel nach': 15,
  'viertel vor': -15,
}

/** Reads the facts of a text, in order. */
export function readFacts(tokens: readonly Token[]): Fact[] {
  const facts: Fact[] = []
  for (let at = 0; at < tokens.length; ) at += readAt(tokens, at, facts)
  return facts
}

/** Reads the fact at a token, if there is one; returns how many tokens it took. */
function readAt(tokens: readonly Token[], at: number, facts: Fact[]): number {
  const token = tokens[at]
  const next = tokens[at + 1]
  if (!token) return 1
  if (token.kind === 'address') facts.push({ kind: 'address', text: token.text.replace(/[.,;:]+$/, ''), at })
  if (token.kind === 'date') return readDate(token.text, at, facts)
  if (token.kind === 'time') return readTime(token.text, next, at, facts)
  if (token.kind === 'mark' || token.kind === 'address') return 1
  const named = NAMED_TIMES.get(token.text)
  if (named !== undefined) facts.push({ kind: 'time', minutes: [named], at })
  const clock = clockWords(tokens, at)
  if (clock !== null) {
    facts.push({ kind: 'time', minutes: bothHalves(clock), at })
    return 3
  }
  const numeral = numeralAt(tokens, at)
  if (numeral) return readNumber(tokens, at, numeral, facts)
  return readWord(tokens, at, facts)
}

function readDate(text: string, at: number, facts: Fact[]): number {
  const parts = text.split(/[./-]\s?/).map(Number)
  const [day = 0, month = 0, year = 0] = text.includes('-') ? parts.toReversed() : parts
  const isAmerican = month > 12
  facts.push({ kind: 'month', month: isAmerican ? day : month, day: isAmerican ? month : day, at })
  for (const value of [isAmerican ? month : day, year < 100 ? year + 2_000 : year])
    facts.push({ kind: 'number', values: [value], unit: null, at })
  return 1
}

function readTime(text: string, next: Token | undefined, at: number, facts: Fact[]): number {
  const [hours = 0, minutes = 0] = text.split(/[:.h]/).map((part) => Number(part))
  const half = halfOfDay(next)
  const read = half === null ? [hours * 60 + minutes] : [(hours % 12) * 60 + minutes + half]
  facts.push({ kind: 'time', minutes: read, at })
  return half === null ? 1 : 2
}

/** 0 for "am", 720 for "pm". */
function halfOfDay(token: Token | undefined): number | null {
  return token?.text === 'am' ? 0 : token?.text === 'pm' ? HALF_DAY : null
}

/** "half past seven" and "halb acht" in minutes. */
function clockWords(tokens: readonly Token[], at: number): number | null {
  const [one, two, three] = [tokens[at]?.text, tokens[at + 1]?.text, tokens[at + 2]?.text]
  const offset = PAST[`${one} ${two}`]
  const hour = NUMBER_WORDS.get(three ?? '') ?? Number(three ?? Number.NaN)
  if (offset !== undefined && hour >= 1 && hour <= 12) return hour * 60 + offset
  const German = one === 'halb' ? (NUMBER_WORDS.get(two ?? '') ?? (two === 'eins' ? 1 : 0)) : 0
  return German >= 1 && German <= 12 ? German * 60 - 30 : null
}

function bothHalves(minutes: number): number[] {
  return minutes <= HALF_DAY + 59 ? [minutes, (minutes + HALF_DAY) % 1_440] : [minutes]
}

interface Numeral {
  values: number[]
  length: number
  /** Whether it is "a" or "one", which counts only before a unit. */
  isOne: boolean
}

function numeralAt(tokens: readonly Token[], at: number): Numeral | null {
  const { kind, text } = tokens[at] as Token
  if (kind === 'number') return { values: readings(text), length: 1, isOne: false }
  if (HAN_NUMERAL.test(text)) return hanNumeralAt(tokens, at)
  if (text === 'an' && /^(?:par|l|chaque)$/.test(tokens[at - 1]?.text ?? '')) return null
  if (ONE_AND_HALF_WORDS.has(text)) return { values: [1.5], length: 1, isOne: false }
  // "a thousand euros"
  const power = MULTIPLIERS.get(text)
  if (power !== undefined && unitOf(tokens[at + 1]?.text)) return { values: [power], length: 1, isOne: false }
  if (ONE_WORDS.has(text)) return { values: [1], length: 1, isOne: true }
  const value = NUMBER_WORDS.get(text) ?? sumOf(text)
  return value === null ? null : { values: [value], length: 1, isOne: false }
}

/** A numeral in Chinese characters counts only before a unit or a counter. */
function hanNumeralAt(tokens: readonly Token[], at: number): Numeral | null {
  let end = at
  while (HAN_NUMERAL.test(tokens[end]?.text ?? '')) end += 1
  const value = hanNumber(
    tokens
      .slice(at, end)
      .map(({ text }) => text)
      .join(''),
  )
  const after = tokens[end]?.text ?? ''
  if (value === null || value < 2 || !(unitOf(after) || /^[个個人次回倍岁歳点點月号つ件名]$/.test(after))) return null
  return { values: [value], length: end - at, isOne: false }
}

/** "twenty-five". */
function sumOf(text: string): number | null {
  const [tens, units, ...rest] = text.split('-').map((part) => NUMBER_WORDS.get(part))
  return tens !== undefined && units !== undefined && rest.length === 0 && tens >= 20 && units < 10 ? tens + units : null
}

/** "1.250" is read in both ways, "2,50" and "1,234.50" in one. */
function readings(text: string): number[] {
  const separators = text.replace(/\d/g, '')
  const last = separators.at(-1) ?? ''
  const digits = text.replace(/\D/g, '')
  const whole = Number(digits)
  if (separators === '') return [whole]
  const at = text.lastIndexOf(last)
  const fraction = text.slice(at + 1)
  const decimal = Number(`${text.slice(0, at).replace(/\D/g, '')}.${fraction}`)
  const canBeDecimal = /[.,]/.test(last) && [...separators].filter((one) => one === last).length === 1
  if (!canBeDecimal) return [whole]
  if (fraction.length !== 3 || separators.length > 1) return [decimal]
  return [whole, decimal]
}

function readNumber(tokens: readonly Token[], at: number, { values, length, isOne }: Numeral, facts: Fact[]): number {
  let end = at + length
  const multiplier = isOne ? undefined : (MULTIPLIERS.get(tokens[end]?.text ?? '') ?? (tokens[end]?.text === '万' ? 1e4 : undefined))
  if (multiplier) end += 1
  const scaled = multiplier ? values.map((value) => value * multiplier) : values
  if (tokens[end]?.text === '-' && tokens[end + 1]?.kind === 'word') end += 1
  const half = isOne ? null : halfOfDay(tokens[end])
  const isClock = /^(?:uhr|h|heures|点|點|時|时|시|बजे)$/.test(tokens[end]?.text ?? '')
  const hour = scaled[0] ?? 0
  if (half !== null || (isClock && !isOne && hour <= 24)) {
    const minutes = half === null ? minutesAfter(tokens[end + 1]) : 0
    facts.push({
      kind: 'time',
      minutes:
        half === null
          ? isCjk(tokens[end]?.text ?? '')
            ? bothHalves(hour * 60 + minutes)
            : [hour * 60 + minutes]
          : [(hour % 12) * 60 + half],
      at,
    })
    return end + 1 - at + (minutes > 0 ? 1 : 0)
  }
  if (tokens[end]?.text === '月') {
    const day = Number(tokens[end + 1]?.text ?? Number.NaN)
    facts.push({ kind: 'month', month: hour, day: Number.isNaN(day) ? null : day, at })
    return end + 1 - at
  }
  const added = isHalfAdded(tokens, end) ? end : isHalfAdded(tokens, end + 1) ? end + 1 : -1
  if (added >= 0) {
    const unitAt = added === end ? halfAddedEnd(tokens, end) : end
    const factor = MULTIPLIERS.get(tokens[unitAt]?.text ?? '') ?? 1
    const unit = unitOf(tokens[factor > 1 ? unitAt + 1 : unitAt]?.text)
    facts.push({ kind: 'number', values: scaled.map((value) => (value + 0.5) * factor), unit, at })
    return Math.max(unitAt + (factor > 1 ? 2 : 1), halfAddedEnd(tokens, added)) - at
  }
  const parts = PARTS.get(tokens[end]?.text ?? '')
  if (parts !== undefined && !isOne) {
    facts.push({ kind: 'number', values: [hour * parts], unit: PERCENT, at, isLoose: true })
    return end + 1 - at
  }
  const unit = unitNear(tokens, at, end, hour)
  if (isOne && (!unit || tokens[at]?.text !== 'one')) return 1
  facts.push({ kind: 'number', values: scaled, unit, at })
  return end - at + (unit && unitOf(tokens[end]?.text) ? 1 : 0)
}

/** "and a half". */
function isHalfAdded(tokens: readonly Token[], at: number): boolean {
  return /^(?:and|et|y|e|und|с)$/.test(tokens[at]?.text ?? '') && HALF_WORDS.has(tokens[halfAddedEnd(tokens, at) - 1]?.text ?? '')
}

function halfAddedEnd(tokens: readonly Token[], at: number): number {
  return tokens[at + 1]?.text === 'a' ? at + 3 : at + 2
}

/** The minutes of "8 Uhr 15". */
function minutesAfter(token: Token | undefined): number {
  const minutes = token?.text === '半' ? 30 : token?.kind === 'number' ? Number(token.text) : 0
  return minutes < 60 ? minutes : 0
}

/** The unit after a number, or the currency before it. A year before 年 has none. */
function unitNear(tokens: readonly Token[], at: number, end: number, value: number): Unit | null {
  if (tokens[end]?.text === '年' && value >= 1_000) return null
  if (tokens[end]?.text === '日' && tokens[at - 1]?.text === '月') return null
  const before = unitOf(tokens[at - 1]?.text)
  if (before && MONEY.has(before.dimension) && !(tokens[at - 2]?.kind === 'number')) return before
  const after = unitOf(tokens[end]?.text, tokens[end + 1]?.text)
  // "5-minute", "14 further days".
  return after ?? (tokens[end]?.kind === 'word' && !unitOf(tokens[end]?.text) ? furtherUnit(tokens, end) : null)
}

const BETWEEN = /^(?:more|further|additional|full|whole|weitere|weiteren|ganze|volle|other|calendar|consecutive)$/

function furtherUnit(tokens: readonly Token[], end: number): Unit | null {
  return BETWEEN.test(tokens[end]?.text ?? '') ? unitOf(tokens[end + 1]?.text, tokens[end + 2]?.text) : null
}

function readWord(tokens: readonly Token[], at: number, facts: Fact[]): number {
  const token = tokens[at] as Token
  const { text } = token
  const weekday = weekdayAt(tokens, at)
  if (weekday !== undefined) return readWeekdays(tokens, at, weekday, facts)
  const isEveryDay = EVERY.test(tokens[at - 1]?.text ?? '') && unitOf(text)?.factor === 1_440
  const group = isEveryDay ? ALL_DAYS : DAY_GROUPS.get(text)
  if (group) facts.push({ kind: 'weekdays', days: group, at })
  const month = MONTH_WORDS.get(text)
  if (month !== undefined && isMonth(tokens, at)) {
    facts.push({ kind: 'month', month, day: dayNear(tokens, at), at })
    return 1
  }
  const fraction = FRACTION_WORDS.get(text)
  if (fraction !== undefined) facts.push({ kind: 'number', values: [fraction], unit: PERCENT, at, isLoose: true })
  const period = PERIOD_WORDS.get(text)
  if (period) {
    facts.push({ kind: 'unit', unit: period, isRate: true, at })
    return 1
  }
  if (HALF_WORDS.has(text)) return readHalf(tokens, at, facts)
  const quarter = /^(?:quarter|viertelstunde|quart|cuarto|quarto)$/.test(text) ? quarterOfHour(tokens, at) : 0
  if (quarter > 0) {
    facts.push({ kind: 'number', values: [15], unit: { dimension: 'time', factor: 1 }, at })
    return quarter
  }
  const unit =
    text.length > 2 || tokens[at - 1]?.text === '/' || token.raw !== text || !/^[a-zß-ÿ]+$/.test(text)
      ? unitOf(text, tokens[at + 1]?.text)
      : null
  if (unit) facts.push({ kind: 'unit', unit, isRate: isRate(tokens, at), at })
  return 1
}

/** Whether the word before the unit makes it a rate. */
function isRate(tokens: readonly Token[], at: number): boolean {
  const [before, unit, next] = [tokens[at - 1]?.text ?? '', tokens[at]?.text ?? '', tokens[at + 1]]
  // "im Jahr 2024", "im Monat Mai".
  // "a quarter of the cost".
  if (unit === 'quarter' && next?.text === 'of') return false
  if (next?.kind === 'number' || MONTH_WORDS.has(next?.text ?? '')) return false
  if (before === 'all') return /^(?:anno|ora~it)$/.test(unit)
  return RATE_WORDS.has(before) || (before === 'la' && tokens[at - 2]?.text === 'a')
}

function isMonth(tokens: readonly Token[], at: number): boolean {
  const { text, raw } = tokens[at] as Token
  if (!CAPITALISED_MONTHS.includes(text)) return true
  const before = tokens[at - 1]
  // "those under 14 may"
  if (/^(?:may|march)$/.test(text) && !/^\p{Lu}/u.test(raw)) return false
  const isNearNumber = before?.kind === 'number' || tokens[at + 1]?.kind === 'number'
  return isNearNumber || (/^\p{Lu}/u.test(raw) && MONTH_PREPOSITIONS.has(before?.text ?? ''))
}

/** The day before or after a month's name. */
function dayNear(tokens: readonly Token[], at: number): number | null {
  const before = tokens[at - 1]?.text === 'de' || tokens[at - 1]?.text === 'of' ? tokens[at - 2] : tokens[at - 1]
  for (const token of [before, tokens[at + 1]]) {
    const value = token?.kind === 'number' ? Number(token.text) : Number.NaN
    if (value >= 1 && value <= 31) return value
  }
  return null
}

/** Abbreviations such as "Mo" are words too, and count only beside a time, a comma or a dash. */
function weekdayAt(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at]
  if (!token) return undefined
  const isBeside = [tokens[at - 1], tokens[at + 1]].some(
    (other) => other !== undefined && other.kind !== 'word' && /^[\d,/–—-]/.test(other.text),
  )
  const abbreviated = isBeside && /^\p{Lu}/u.test(token.raw) ? WEEKDAY_ABBREVIATIONS.get(token.text) : undefined
  return WEEKDAY_WORDS.get(token.text) ?? abbreviated
}

/** A weekday, or all days of a range. */
function readWeekdays(tokens: readonly Token[], at: number, first: number, facts: Fact[]): number {
  const last = RANGE_WORDS.has(tokens[at + 1]?.text ?? '') ? weekdayAt(tokens, at + 2) : undefined
  if (last === undefined) {
    facts.push({ kind: 'weekdays', days: [first], at })
    return 1
  }
  const length = ((last - first + 7) % 7) + 1
  facts.push({ kind: 'weekdays', days: Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1), at })
  return 3
}

/** "half an hour" is a time, any other half 50 %. */
function readHalf(tokens: readonly Token[], at: number, facts: Fact[]): number {
  for (const offset of [1, 2]) {
    const unit = unitOf(tokens[at + offset]?.text)
    if (unit && (unit.dimension === 'time' || unit.dimension === 'months')) {
      facts.push({ kind: 'number', values: [0.5], unit, at })
      return offset + 1
    }
  }
  if (!WEAK_HALF_WORDS.has(tokens[at]?.text ?? '')) facts.push({ kind: 'number', values: [50], unit: PERCENT, at })
  return 1
}

/** How many tokens "quarter of an hour" takes; 0 if it isn't that. */
function quarterOfHour(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.text === 'viertelstunde') return 1
  const end = tokens.slice(at + 1, at + 4).findIndex(({ text }) => unitOf(text)?.factor === 60)
  return end < 0 ? 0 : end + 2
}
