import { normalizeText } from '../text/normalize-text.ts'

/** A text as the finders read it, with where in the original each of its code units begins and ends; null where nothing moved. */
export interface Reading {
  text: string
  places: { starts: Uint32Array; ends: Uint32Array } | null
}

/** Characters that can't be seen, and the box of a keycap: copied numbers contain them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u20E3]+/gu
/** Letters and digits as HTML entities, in circles, raised, for mathematics, or of any script. */
const WRITTEN_OTHERWISE =
  /&(?:amp;)?#(?:0{0,6}\d{2,3}|x0{0,6}[\da-f]{2});?|(?![\d\u00BC-\u00BE\u2150-\u215F])[\p{Nd}\p{No}\u24B6-\u24E9\u{1D400}-\u{1D6A5}]/giu
/** Groups between commas, longer than the numbers of most lists; only the last may be short. */
const COMMAS = /(?<![\p{L}\d.,])\+?[\p{L}\d]{1,6}(?:,[\p{L}\d]{3,6}){2,9}(?:,[\p{L}\d]{1,2})?(?![\p{L}\d]|[.,]\d)/gu
const THOUSANDS = /^\+?\d{1,3}(?:,\d{3})+$/
/** Separators that pasted numbers have between groups, besides the usual: line breaks, wide gaps, slashes, Markdown. */
const PASTED_GAP = /(?<=[\p{L}\d])[\s/_·•*|]{1,8}(?=[\p{L}\d])/gu

/** How a text can be read: for all kinds, and for those with a checksum also over what stands between groups of pasted numbers. */
export function readingsOf(text: string): { usual: Reading[]; overGaps: Reading[] } {
  const seen = replaced({ text, places: null }, UNSEEN, () => '')
  const typed = { ...seen, text: normalizeText(seen.text) }
  const plain = replaced(typed, WRITTEN_OTHERWISE, plainly)
  // A figure such as 12,345,678,901 is no telephone number.
  const commas = plain.text.replace(COMMAS, (groups) => (THOUSANDS.test(groups) ? groups : groups.replaceAll(',', ' ')))
  const allCommas = plain.text.replace(COMMAS, (groups) => groups.replaceAll(',', ' '))
  const usual = [typed, plain, { ...plain, text: commas }]
  return { usual: distinct(usual), overGaps: distinct([...usual, replaced({ ...plain, text: allCommas }, PASTED_GAP, () => ' ')]) }
}

const distinct = (readings: Reading[]): Reading[] =>
  readings.filter(({ text }, index) => readings.findIndex((other) => other.text === text) === index)

/** ASCII letters and digits for an entity or character; itself if there are none. */
function plainly(written: string): string {
  const code = written.startsWith('&') ? Number(written.replace(/amp;|[&#;]/gi, '').replace(/^x/i, '0x')) : 0
  if (code > 0) return code > 31 && code < 127 ? String.fromCharCode(code) : written
  return written.normalize('NFKC').replace(/[^A-Za-z\d]+/g, '') || digitsOfSign(written.codePointAt(0) ?? 0) || written
}

/** White digits in black circles and others with a value from one, or a decimal digit of some script, which has its zero before it. */
function digitsOfSign(code: number): string {
  if (code >= 0x2776 && code <= 0x2793) return String(((code - 0x2776) % 10) + 1)
  if (code >= 0x24f5 && code <= 0x24ff) return String((code - 0x24f4) % 11)
  const isDigit = (point: number) => /\p{Nd}/u.test(String.fromCodePoint(point))
  let zero = code
  while (isDigit(zero - 1)) zero--
  return isDigit(code) ? String((code - zero) % 10) : ''
}

function replaced({ text, places }: Reading, pattern: RegExp, by: (written: string) => string): Reading {
  const changed = text.replace(pattern, (written) => by(written))
  if (changed === text) return { text, places }
  const starts = new Uint32Array(changed.length)
  const ends = new Uint32Array(changed.length)
  let [from, to] = [0, 0]
  const put = (first: number, last: number) => {
    starts[to] = places?.starts[first] ?? first
    ends[to++] = places?.ends[last] ?? last + 1
  }
  const keep = (end: number) => {
    for (; from < end; from++) put(from, from)
  }
  for (const { 0: written, index } of text.matchAll(pattern)) {
    keep(index)
    from = index + written.length
    for (let length = by(written).length; length > 0; length--) put(index, from - 1)
  }
  keep(text.length)
  return { text: changed, places: { starts, ends } }
}
