/** Accents and vowel points, which people omit when they type: of Latin, Greek, Cyrillic, Hebrew and Arabic letters. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
/** Letters that Unicode does not decompose. */
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' }
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/

/** Lower case without accents and variants of letters, for comparing. The length may change. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const decomposed = text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC')
  return decomposed.toLowerCase().replaceAll(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter)
}
