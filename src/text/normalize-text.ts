/** Digits that people type besides ASCII: Arabic, Persian, of Indic scripts, Thai, Lao, Burmese, Khmer. */
const FOREIGN_DIGITS = /(?=\p{Nd})[\u0660-\u06F9\u0966-\u0D6F\u0E50-\u0ED9\u1040-\u1049\u17E0-\u17E9]/gu
/** ASCII letters, digits and signs in full width. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g
const DASHES = /[\u2010-\u2015\u2212\u30FC\uFE58\uFE63]/g
/** Spaces and invisible characters that copied numbers contain. */
const SPACES = /[\t\u00A0\u00AD\u2000-\u200F\u2028-\u202F\u205F-\u2064\u2066-\u2069\u3000\uFEFF]/g

/** The text with ASCII digits, dashes and spaces. Every code unit keeps its position. */
export function normalizeText(text: string): string {
  return withAsciiDigits(text.replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0)))
    .replace(DASHES, '-')
    .replace(SPACES, ' ')
}

/** Every code unit keeps its position. */
export function withAsciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGITS, (character) => String(digitOf(character.charCodeAt(0))))
}

/** The zero is the first of sixteen code points, or the seventh in Indic scripts. */
function digitOf(code: number): number {
  return code >= 0x0966 && code <= 0x0d6f ? (code & 0xf) - 6 : code & 0xf
}
