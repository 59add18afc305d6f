/** Languages whose names of months are known. */
const LANGUAGES = 'ar bg cs da de el en es et fa fi fr he hi hr hu id it lt lv nb nl pl pt ro ru sk sl sr sv th tr uk'.split(' ')
const FORMATS = [{ month: 'long' }, { month: 'long', day: 'numeric' }, { month: 'short', day: 'numeric' }] as const

let names: Map<string, Set<number>> | undefined

/** Numbers of the months that a name stands for, as written and in lower case. Reads them from ICU once. */
function monthNames(): ReadonlyMap<string, ReadonlySet<number>> {
  names ??= readNames()
  return names
}

function readNames(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  for (const language of LANGUAGES)
    for (const options of FORMATS) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
      for (let month = 1; month <= 12; month += 1) {
        const part = format.formatToParts(Date.UTC(2026, month - 1, 15)).find(({ type }) => type === 'month')
        const name = part?.value.replace(/\.$/, '') ?? ''
        if (/^[\p{L}\p{M}]{3}/u.test(name))
          for (const word of [name, name.toLowerCase()]) found.set(word, (found.get(word) ?? new Set()).add(month))
      }
    }
  return found
}

/** Attributes that must be equal where both texts state them. */
type Marks = Partial<Record<'unit' | 'year' | 'half', string>>
type Reading = [key: string, marks?: Marks]

/** A fact is stated if one of its readings is, or all of its parts are. */
interface Fact {
  readings: Reading[]
  parts: Fact[]
}

/** A text that can support sentences, read once. */
export interface Evidence {
  text: string
  stated: ReadonlyMap<string, readonly Marks[]>
}

const MAX_EVIDENCE_CHARACTERS = 20_000
/** Places that are told apart by unit, year or half of the day. */
const MAX_STATEMENTS = 100
const MIN_RUN_DIGITS = 6
const MAX_RUN_DIGITS = 15

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`
const HOST = String.raw`(?:[[\p{L}\p{N}\-]--[${UNSPACED}]]{2,63}\.)+[a-z]{2,24}(?![[\p{L}\p{N}]--[${UNSPACED}]])`
const PATH = String.raw`[^\s<>\(\)\[\]"'\|${UNSPACED}]`
const ADDRESS = new RegExp(String.raw`[\w.+\-]{1,64}@${HOST}|(?:https?://|www\.)${PATH}+|${HOST}(?:/${PATH}*)?`, 'gv')
const CITATION = /\[\d{1,3}(?:, ?\d{1,3})*\]/g
const LIST_NUMBER = /^[ \t>*+-]*(\d{1,3})[.)]\s/gm
/** Digits, with what may stand between those of one number, date, time or telephone number. */
const CLUSTER = /\(?\+?\d(?:[\d()/–'’-]|[.,:](?=\d)|\.? (?=[\d(])){0,60}(?<=\d)/g
const PIECE =
  /(?<!\d)(?:\d{4}([./-]) ?\d{1,2}\1 ?\d{1,2}|\d{1,2}([./-]) ?\d{1,2}\2 ?(?:\d{4}|\d{2})|(?:\d{1,2}|\d{4})[/–-]\d{1,2})(?![\d./–-]*\d)|\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:]\d+)*/g
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

export function readEvidence(text: string): Evidence {
  const kept = text.slice(0, MAX_EVIDENCE_CHARACTERS)
  const listed = new Set([...kept.matchAll(LIST_NUMBER)].map(([, number]) => Number(number)))
  const isListed = (number: number) => listed.has(number - 1) || listed.has(number + 1)
  const unlisted = kept.replace(LIST_NUMBER, (start, number) => (isListed(Number(number)) ? ' ' : start))
  const stated = new Map<string, Marks[]>()
  const add = ({ readings, parts }: Fact): void => {
    for (const [key, marks = {}] of readings) {
      const known = stated.get(key)
      if (!known) stated.set(key, [marks])
      else if (known.length < MAX_STATEMENTS) known.push(marks)
    }
    parts.forEach(add)
  }
  readFacts(unlisted, true).forEach(add)
  return { text: kept.normalize('NFKC').toLowerCase(), stated }
}

/** Whether the texts state all numbers, dates, times, telephone numbers, links and e-mail addresses of a sentence. */
export function areFactsStated(sentence: string, evidence: readonly Evidence[]): boolean {
  const isLeadIn = /[:：]\s*$/.test(sentence)
  const isStated = ({ readings, parts }: Fact): boolean =>
    (parts.length > 0 && parts.every(isStated)) || readings.some((reading) => isCount(reading, isLeadIn) || isIn(evidence, reading))
  const addresses = [...sentence.normalize('NFKC').matchAll(ADDRESS)].map(([address]) => bareAddress(address))
  return (
    addresses.every((address) => evidence.some(({ text }) => includesAddress(text, address))) && readFacts(sentence, false).every(isStated)
  )
}

/** Whether a sentence has numbers, dates, times, links or e-mail addresses. */
export function hasFacts(sentence: string): boolean {
  return readFacts(sentence, false).length > 0 || sentence.normalize('NFKC').search(ADDRESS) >= 0
}

/** "1" is an article in many languages, and "3 ways:" counts what follows. */
function isCount([key, { unit } = {}]: Reading, isLeadIn: boolean): boolean {
  return unit === undefined && (isLeadIn ? /^number (?:[1-9]|10)$/ : /^number 1$/).test(key)
}

function isIn(evidence: readonly Evidence[], [key, marks = {}]: Reading): boolean {
  const kinds = Object.keys(marks) as (keyof Marks)[]
  return evidence.some(({ stated }) =>
    stated.get(key)?.some((other) => kinds.every((kind) => (other[kind] ?? marks[kind]) === marks[kind])),
  )
}

const bareAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/|[\p{P}~]+$/gu, '')
    .replace(/^www\./, '')

/** Whether a text has an address that isn't part of a longer name. */
function includesAddress(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const before = text.slice(Math.max(0, at - 4), at)
    if (
      (before === 'www.' || !/[\w.@+-]$/.test(before)) &&
      !/^(?:[\w-]|\.\w)/.test(text.slice(at + address.length, at + address.length + 2))
    )
      return true
  }
  return false
}

/** `isSource`: every possible reading counts, as in the passages. */
function readFacts(raw: string, isSource: boolean): Fact[] {
  const text = plainText(raw)
  return [
    ...namedDates(text, isSource),
    ...[...text.matchAll(CLUSTER)].map(({ 0: cluster, index }) => clusterFact(cluster, index, text, isSource)),
  ]
}

/** Writes digits and separators in one way; leaves out addresses, citations and emphasis. */
function plainText(text: string): string {
  return text
    .replace(/(?<=\d) ?[¼½¾]/g, (sign) => ({ '¼': '.25', '½': '.5' })[sign.trim()] ?? '.75')
    .replace(/\p{No}/gu, ' ')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
    .replace(/[٫٬٪]/g, (sign) => ({ '٫': '.', '٬': ',' })[sign] ?? '%')
    .replace(ADDRESS, ' ')
    .replace(CITATION, ' ')
    .replace(/(?<=\d)[*_]+(?=\d)|\s+/g, ' ')
    .replace(/[*_`~]+/g, '')
    .replace(/(?<=\d) ?[年년月월] ?(?=\d)/g, '-')
    .replace(/(?<=\b\d\d?) ?(?:h|uhr|[時时點点시]) ?(?=\d\d(?!\d))/gi, ':')
    .replace(/(?<=\d) ?([ap])\.? ?m\b\.?/gi, '$1m')
}

/** The digits of a script follow one another from zero. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** "5 March 2026", "March 5", "am 5. März", and months alone. */
function namedDates(text: string, isSource: boolean): Fact[] {
  return [...text.matchAll(/(?<![\p{L}\p{M}])[\p{L}\p{M}]{3,}/gu)].flatMap(({ 0: word, index }) => {
    const numbers = [...(monthNames().get(isSource ? word.toLowerCase() : word) ?? [])]
    if (numbers.length === 0) return []
    const before = text.slice(Math.max(0, index - 25), index)
    const after = text.slice(index + word.length, index + word.length + 15)
    const year = /(?<!\d)(?:1[89]|2[01])\d\d(?!\d)/.exec(after)?.[0] ?? /(?<!\d)((?:1[89]|2[01])\d\d)\D{0,5}$/.exec(before)?.[1]
    const day = /(?<![\d.,:])(\d\d?)(?:\p{L}{1,2}|\.)?(?: (?:de|del|di|of))? $/u.exec(before) ?? /^[ .,]{0,2}(\d\d?)(?![\d:])/.exec(after)
    const days = isSource ? (`${before} ${after}`.match(/(?<!\d)\d\d?(?!\d)/g) ?? []) : day ? [String(day[1])] : []
    // A short name alone may be another word.
    if (!isSource && !day && !year && (word.length < 5 || index === 0)) return []
    const keys = numbers.flatMap((month) => [
      ...days.map((one) => dateKey(month, one)),
      ...(isSource ? [`month ${month}`, `number ${month}`] : day ? [] : [`month ${month}`]),
    ])
    return [{ readings: keys.map((key): Reading => [key, year ? { year } : {}]), parts: [] }]
  })
}

const dateKey = (month: number | string, day: number | string): string => `date ${Number(month)}-${Number(day)}`

function clusterFact(cluster: string, index: number, text: string, isSource: boolean): Fact {
  const parts = [...cluster.matchAll(PIECE)].flatMap(({ 0: piece, index: at }) => {
    const [start, end] = [index + at, index + at + piece.length]
    return pieceFacts(piece, text.slice(Math.max(0, start - 4), start), text.slice(end, end + 25), isSource)
  })
  return { readings: runReadings(cluster, isSource), parts }
}

/** Telephone and other long numbers as digits alone, without zeros in front; one with a country code also without it. */
function runReadings(cluster: string, isSource: boolean): Reading[] {
  const isNumber = /[,:]|^[\d '’]+\.\d{1,2}$/.test(cluster)
  const isInternational = /^\(?(?:\+|00)/.test(cluster)
  const groups = isNumber ? [] : (cluster.replace('(0)', ' ').match(/\d+/g) ?? [])
  const starts = isSource ? groups.map((_, at) => at) : [0]
  const runs = starts.flatMap((start) => {
    const end = isSource ? Math.min(groups.length, start + MAX_RUN_DIGITS) : groups.length
    const ends = isSource ? Array.from({ length: end - start }, (_, at) => start + 1 + at) : [end]
    return ends
      .map((one) => groups.slice(start, one).join(''))
      .filter(({ length }) => length <= MAX_RUN_DIGITS)
      .map((run) => run.replace(/^0+/, ''))
  })
  const national = isInternational ? runs.flatMap((run) => [1, 2, 3].map((code) => run.slice(code))) : runs
  const kind = isInternational && !isSource ? 'run' : 'national'
  const isLong = ({ length }: string) => length >= MIN_RUN_DIGITS
  return [
    ...runs.filter(isLong).map((run): Reading => [`run ${run}`]),
    ...national.filter(isLong).map((run): Reading => [`${kind} ${run}`]),
  ]
}

function pieceFacts(piece: string, before: string, after: string, isSource: boolean): Fact[] {
  const groups = piece.split(/\D+/)
  const [first = '', second = '', third = ''] = groups
  const parts = groups.map((group): Fact => ({ readings: numberReadings(group, before, after), parts: [] }))
  const isDayMonth = /^\d\d?[/-]\d\d?$/.test(piece) || (/^\d\d?\.\d\d?$/.test(piece) && after.startsWith('.'))
  const dates = (marks: Marks = {}): Reading[] => [
    [dateKey(first, second), marks],
    [dateKey(second, first), marks],
  ]
  if (/^\d\d?([./-]) ?\d\d?\1 ?\d\d(?:\d\d)?$/.test(piece)) {
    const year = third.length === 2 ? `20${third}` : third
    return [{ readings: dates({ year }), parts: [] }, { readings: [[`number ${year}`]], parts: [] }, ...(isSource ? parts : [])]
  }
  if (/^\d{4}([./-]) ?\d\d?\1 ?\d\d?$/.test(piece))
    return [{ readings: [[dateKey(second, third), { year: first }]], parts: [] }, ...(isSource ? parts : parts.slice(0, 1))]
  if (/[/–-]/.test(piece)) {
    // A season: "2025/26".
    const years: Fact[] =
      isSource && /^\d{4}\D\d\d$/.test(piece) ? [{ readings: [[`number ${first.slice(0, 2)}${second}`]], parts: [] }] : []
    return [{ readings: isDayMonth ? dates() : [], parts }, ...years]
  }
  const half = /^([ap])m/i.exec(after)?.[1]?.toLowerCase()
  const times = half || /^\d\d?[.:]\d\d(?::\d\d)?$/.test(piece) ? timeReadings(first, second, half) : []
  if (times.length > 0 && (half || piece.includes(':'))) return [{ readings: times, parts: [] }]
  const isDivisible = (isDayMonth && isSource) || (/^\d+(?:[,:]\d+)+$/.test(piece) && valuesOf(piece)[0] === piece)
  return [
    { readings: [...times, ...(isDayMonth ? dates() : []), ...numberReadings(piece, before, after)], parts: isDivisible ? parts : [] },
  ]
}

/** A time on the twelve-hour clock; a full hour also as a number. */
function timeReadings(hour: string, minute: string, named: string | undefined): Reading[] {
  const hours = Number(hour)
  if (hours > 24 || Number(minute) > 59) return []
  const half = named ?? (hours > 12 && hours < 24 ? 'p' : hours % 24 === 0 || hour.startsWith('0') ? 'a' : undefined)
  const marks = half ? { half } : {}
  const numbers = Number(minute) > 0 ? [] : [hours, ...(half === 'p' ? [hours % 12, (hours % 12) + 12] : [])]
  return [[`time ${hours % 12}:${minute || '00'}`, marks], ...numbers.map((number): Reading => [`number ${number}`, marks])]
}

/** A number with the currency or percent sign beside it. Currencies are compared by their signs. */
function numberReadings(piece: string, before: string, after: string): Reading[] {
  const [mark] = /^ ?(?:\p{Sc}|[%‰]|[A-Z]{3}(?!\p{L}))/u.exec(after) ?? /(?:(?<!\p{L})[A-Z]{3}|\p{Sc}) ?$/u.exec(before) ?? []
  const sign = mark?.trim() ?? ''
  const symbol = CURRENCIES.has(sign)
    ? new Intl.NumberFormat('en', { style: 'currency', currency: sign, currencyDisplay: 'narrowSymbol' }).format(1)
    : ''
  const unit = /\p{Sc}/u.exec(symbol)?.[0] ?? (symbol !== '' || !/^[A-Z]/.test(sign) ? sign : '')
  return valuesOf(piece).map((value) => [`number ${value}`, unit ? { unit } : {}])
}

/** A number with a decimal point and nothing else, in each convention that it can be written in. */
function valuesOf(piece: string): string[] {
  const groups = piece.split(/\D/)
  const signs: string[] = piece.match(/\D/g) ?? []
  const last = signs.at(-1) ?? ''
  // "007" and "01067" are names.
  if (last === '') return [piece.length > 2 ? piece : String(Number(piece))]
  const isGrouped = (parts: readonly string[]) =>
    /^[1-9]\d{0,2}(?:,\d{2,3})*(?:,\d{3})?$/.test(parts.join()) && parts.slice(1).at(-1)?.length !== 2
  const [whole, decimals] = [groups.slice(0, -1), groups.at(-1) ?? '']
  const grouped = new Set(signs).size === 1 && isGrouped(groups) ? [groups.join('')] : []
  const isDecimal =
    /[.,]/.test(last) && signs.indexOf(last) === signs.length - 1 && new Set(signs).size <= 2 && (signs.length === 1 || isGrouped(whole))
  const decimal = `${Number(whole.join(''))}.${decimals}`.replace(/\.?0+$/, '')
  const values = [...grouped, ...(isDecimal ? [decimal] : [])]
  return values.length > 0 ? values : [piece]
}
