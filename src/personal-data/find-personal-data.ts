import { NATIONAL_ID_FORMATS } from './national-id-formats.ts'
import { type Span, findCards, findIbans } from './payment-numbers.ts'
import { findAddresses } from './addresses.ts'
import { findEmails, findTelephones } from './contact-details.ts'
import { type PersonalDataKind, type PersonalDataMatch, PERSONAL_DATA_KINDS } from './kinds.ts'
import { type Reading, readingsOf } from './readings.ts'

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

/** Kinds with a checksum, so that numbers which only stand below each other are rarely found. */
const FOUND_OVER_GAPS: ReadonlySet<PersonalDataKind> = new Set(['iban', 'card', 'national_id'])

/** Finds one kind, at its places in the original, each ending after the last character that was read. */
function spansOf(kind: PersonalDataKind, { text, places }: Reading): Span[] {
  const spans = FINDERS[kind](text)
  return places ? spans.map(({ start, end }) => ({ start: places.starts[start] ?? 0, end: places.ends[end - 1] ?? 0 })) : spans
}

/** Every kind has a digit, or the sign of an e-mail address, also as (at) or [at]. Most prompts have neither. */
const POSSIBLE = /[\d@([]/

/** Personal data of these kinds in a text, in its order and without overlaps, in time linear in its length. */
export function findPersonalData(text: string, kinds: readonly PersonalDataKind[] = PERSONAL_DATA_KINDS): PersonalDataMatch[] {
  if (kinds.length === 0) return []
  const { usual, overGaps } = readingsOf(text)
  if (!usual.some((reading) => POSSIBLE.test(reading.text))) return []
  const found: PersonalDataMatch[] = []
  // Kinds after the last wanted one don't change what is found.
  const last = Math.max(...kinds.map((kind) => PERSONAL_DATA_KINDS.indexOf(kind)))
  for (const kind of PERSONAL_DATA_KINDS.slice(0, last + 1)) {
    const spans = (FOUND_OVER_GAPS.has(kind) ? overGaps : usual)
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
