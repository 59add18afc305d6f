/** Accents that people omit: of Latin, Greek, Cyrillic, Hebrew and Arabic letters. Vowel signs of other scripts tell words apart. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
const SEPARATORS = /[^\p{L}\p{M}\p{N}\p{S}]+/gu

/** A wording for exact comparison: without case, accents and punctuation, with single spaces. */
export function foldWording(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('ß', 'ss').replace(SEPARATORS, ' ').trim()
}
