/** First code points of digits that people type besides ASCII: Arabic-Indic, Persian, Devanagari. */
const FOREIGN_DIGITS = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g
/** ASCII letters, digits and signs in full width. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g
const DASHES = /[\u2010-\u2015\u2212\u30FC\uFE58\uFE63]/g
/** Spaces and invisible characters that copied numbers contain. */
const SPACES = /[\t\u00A0\u00AD\u2000-\u200F\u2028-\u202F\u205F-\u2064\u2066-\u2069\u3000\uFEFF]/g

/** The text with ASCII digits, dashes and spaces. Every code unit keeps its position. */
export function normalizeText(text: string): string {
  return text
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(FOREIGN_DIGITS, (character) => String(digitOf(character.charCodeAt(0))))
    .replace(DASHES, '-')
    .replace(SPACES, ' ')
}

function digitOf(code: number): number {
  if (code >= 0x0966) return code - 0x0966
  return code - (code >= 0x06f0 ? 0x06f0 : 0x0660)
}
