import { NATIONAL_ID_FORMATS } from './national-id-formats.ts'
import type { Span } from './payment-numbers.ts'

/** Distance in which a word makes a number a national id. */
const WORDS_BEFORE = 60
const WORDS_AFTER = 30

/** Numbers of people by the form and checksum of their country. */
export function findNationalIds(text: string): Span[] {
  return NATIONAL_ID_FORMATS.flatMap(({ pattern, isValid, words }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: written, index }) => {
      const end = index + written.length
      if (!isValid(written.replace(/[ ./+-]/g, '').toUpperCase(), written)) return []
      if (words && !words.test(text.slice(Math.max(0, index - WORDS_BEFORE), end + WORDS_AFTER))) return []
      return [{ start: index, end }]
    }),
  )
}
