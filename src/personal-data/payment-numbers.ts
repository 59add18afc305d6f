import { isLuhn, remainder } from './checksums.ts'

/** A place in a normalized text. */
export interface Span {
  start: number
  end: number
}

/** Countries with the length of their IBANs: the account is digits; four letters and digits; or letters and digits in any order. */
const IBANS = {
  digits:
    'NO15 BE16 DK18 FI18 FO18 AX18 GL18 SD18 SI19 AT20 BA20 EE20 LT20 XK20 MN20 HR21 DE22 CR22 ME22 RS22 VA22 AE23 IL23 SO23 TL23 CZ24 ES24 SE24 SK24 TN24 PT25 ST25 LY25 IS26 MR27 PL28 HU28 EG29',
  letters: 'NL18 GB22 IE22 IQ23 DO28 NI28 SV28 PK24 VG24 RO24 LV21 BG22 BH22 GI23',
  mixed:
    'KZ20 LU20 MK19 CH21 LI21 GE22 OM23 AD24 MD24 SA24 TR26 FR27 MC27 GF27 GP27 MQ27 RE27 PF27 NC27 PM27 WF27 YT27 GR27 IT27 SM27 AL28 AZ28 CY28 LB28 GT28 BY28 BR29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33',
}
const ACCOUNTS = { digits: /^\d+$/, letters: /^[A-Z]{4}/, mixed: /^/ }

const IBAN_FORMATS = new Map(
  (Object.keys(IBANS) as (keyof typeof IBANS)[]).flatMap((form) =>
    IBANS[form].split(' ').map((entry) => [entry.slice(0, 2), { length: Number(entry.slice(2)), account: ACCOUNTS[form] }] as const),
  ),
)

/** IBANs with the length and form of their country and a valid checksum, with or without spaces, dots or dashes. */
export function findIbans(text: string): Span[] {
  const found: Span[] = []
  const upper = text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  const candidate = /[A-Z]{2} ?\d{2}/g
  for (let match = candidate.exec(upper); match; match = candidate.exec(upper)) {
    const end = endOfIban(upper, match.index)
    candidate.lastIndex = end ?? match.index + 1
    if (end !== null) found.push({ start: match.index, end })
  }
  return found
}

function endOfIban(text: string, start: number): number | null {
  const format = IBAN_FORMATS.get(text.slice(start, start + 2))
  if (!format) return null
  let characters = ''
  let gap = 0
  let end = start
  for (; characters.length < format.length && gap <= 2; end++) {
    const character = text[end] ?? ''
    if (/[A-Z\d]/.test(character)) [characters, gap] = [characters + character, 0]
    else if (/[ .-]/.test(character)) gap++
    else return null
  }
  if (characters.length < format.length || /\d/.test(text[end] ?? '') || !format.account.test(characters.slice(4))) return null
  const moved = characters.slice(4) + characters.slice(0, 4)
  return remainder(
    moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
    97,
  ) === 1
    ? end
    : null
}

/** Digits, with at most two spaces, dots or dashes between two of them. */
const DIGIT_RUN = /\d(?:[ .-]{0,2}\d){12,}/g

/** First digits and lengths of the cards of each network. */
const CARDS: readonly [prefix: RegExp, lengths: readonly number[]][] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^3(?:0[0-59]|[689])/, [14, 16]],
  [/^35(?:2[89]|[3-8])/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0-9])/, [16, 18, 19]],
]
/** How cards print their digits; the last group may be followed by another number. */
const PRINTED = /^(?:4,4,4,4|4,4,4,4,3|4,6,5|4,6,4|6,13|6,10)$/

/** Card numbers of a known network and length with a valid checksum, in printed groups or one after another. */
export function findCards(text: string): Span[] {
  return [...text.matchAll(DIGIT_RUN)].flatMap(({ 0: run, index }) => cardsIn(run, index))
}

function cardsIn(run: string, offset: number): Span[] {
  const groups = [...run.matchAll(/\d+/g)]
  const found: Span[] = []
  for (let first = 0; first < groups.length; first++) {
    const last = lastGroupOfCard(groups, first)
    if (last === null) continue
    const [from, to] = [groups[first], groups[last]]
    if (from && to) found.push({ start: offset + from.index, end: offset + to.index + to[0].length })
    first = last
  }
  return found
}

function lastGroupOfCard(groups: readonly RegExpExecArray[], first: number): number | null {
  let digits = ''
  const lengths: number[] = []
  for (let last = first; last < groups.length; last++) {
    const group = groups[last]?.[0] ?? ''
    digits += group
    lengths.push(group.length)
    if (digits.length > 19 || (first > 0 && group.length < 3)) return null
    const isWhole = first === 0 && last === groups.length - 1 && lengths.every((length) => length > 1)
    if ((lengths.length === 1 || isWhole || PRINTED.test(String(lengths))) && isCard(digits)) return last
  }
  return null
}

const isCard = (digits: string): boolean =>
  CARDS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)) && isLuhn(digits) && !/^(\d)\1+$/.test(digits)
