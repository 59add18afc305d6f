import { NATIONAL_ID_FORMATS } from './national-id-formats.ts'
import { type Span, findCards, findIbans } from './payment-numbers.ts'
import { findAddresses } from './addresses.ts'
import { findEmails, findTelephones } from './contact-details.ts'
import { type PersonalDataKind, type PersonalDataMatch, PERSONAL_DATA_KINDS } from './kinds.ts'
import { normalizeText } from '../text/normalize-text.ts'

/** Distance in which a word makes a number a national id. */
const WORDS_BEFORE = 60
const WORDS_AFTER = 30

function findNationalIds(text: string): Span[] {
  return NATIONAL_ID_FORMATS.flatMap(({ pattern, isValid, words }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: written, index }) => {
      const end = index + written.length
      if (!isValid(written.replace(/[ ./+-]/g, '').toUpperCase(), written)) return []
      if (words && !words.test(text.slice(Math.max(0, index - WORDS_BEFORE), end + WORDS_AFTER))) return []
      return [{ start: index, end }]
    }),
  )
}

const FINDERS: Record<PersonalDataKind, (text: string) => Span[]> = {
  iban: findIbans,
  card: findCards,
  national_id: findNationalIds,
  email: findEmails,
  telephone: findTelephones,
  address: findAddresses,
}

/** A text as the finders read it, with the position in the original of each of its code units and of its end. */
interface Reading {
  text: string
  positions: Uint32Array | null
}

/** Characters that can't be seen, and the box of a keycap: copied numbers contain them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u20E3]+/gu
/** Separators that pasted numbers have between groups, besides the usual: line breaks, wide gaps, slashes, Markdown. */
const PASTED_GAP = /(?<=[\p{L}\d])[\s/_·•*|]{1,8}(?=[\p{L}\d])/gu
/** Kinds with a checksum, so that numbers which only stand below each other are rarely found. */
const FOUND_OVER_GAPS: ReadonlySet<PersonalDataKind> = new Set(['iban', 'card', 'national_id'])

function replaced({ text, positions }: Reading, pattern: RegExp, replacement: string): Reading {
  const changed = text.replace(pattern, replacement)
  if (changed === text) return { text, positions }
  const kept = new Uint32Array(changed.length + 1)
  let [from, to] = [0, 0]
  const keep = (end: number) => {
    for (; from < end; from++) kept[to++] = positions?.[from] ?? from
  }
  for (const { 0: written, index } of text.matchAll(pattern)) {
    keep(index)
    for (const _ of replacement) kept[to++] = positions?.[index] ?? index
    from = index + written.length
  }
  keep(text.length + 1)
  return { text: changed, positions: kept }
}

/** Finds one kind, at its places in the original, each ending after the last character that was read. */
function spansOf(kind: PersonalDataKind, { text, positions }: Reading): Span[] {
  const spans = FINDERS[kind](text)
  return positions ? spans.map(({ start, end }) => ({ start: positions[start] ?? 0, end: (positions[end - 1] ?? 0) + 1 })) : spans
}

/** Every kind has a digit, or the sign of an e-mail address, also as (at) or [at]. Most prompts have neither. */
const POSSIBLE = /[\d@([]/

/** Personal data of these kinds in a text, in its order and without overlaps, in time linear in its length. */
export function findPersonalData(text: string, kinds: readonly PersonalDataKind[] = PERSONAL_DATA_KINDS): PersonalDataMatch[] {
  if (kinds.length === 0) return []
  const seen = replaced({ text, positions: null }, UNSEEN, '')
  const usual = { ...seen, text: normalizeText(seen.text) }
  if (!POSSIBLE.test(usual.text)) return []
  const overGaps = replaced(usual, PASTED_GAP, ' ')
  const found: PersonalDataMatch[] = []
  // Kinds after the last wanted one don't change what is found.
  const last = Math.max(...kinds.map((kind) => PERSONAL_DATA_KINDS.indexOf(kind)))
  for (const kind of PERSONAL_DATA_KINDS.slice(0, last + 1)) {
    const readings = FOUND_OVER_GAPS.has(kind) && overGaps.text !== usual.text ? [usual, overGaps] : [usual]
    const spans = readings
      .flatMap((reading) => spansOf(kind, reading))
      .toSorted((one, other) => one.start - other.start || other.end - one.end)
    found.push(...withoutOverlaps(spans, found).map(({ start, end }) => ({ kind, start, end })))
    found.sort((one, other) => one.start - other.start)
  }
  return found.filter(({ kind }) => kinds.includes(kind))
}

/** Those of `spans` that overlap no earlier one and none of `taken`. Both are sorted. */
function withoutOverlaps(spans: readonly Span[], taken: readonly Span[]): Span[] {
  let next = 0
  let free = 0
  return spans.filter(({ start, end }) => {
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    if (start < free || (taken[next]?.start ?? Number.POSITIVE_INFINITY) < end) return false
    free = end
    return true
  })
}
