/** Accents, vowel points and the like, which a reader who searches leaves out: of Latin, Greek, Cyrillic, Hebrew and Arabic letters. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
/** Letters that Unicode does not take apart. */
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' }
const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/

/** Text as it is compared: without accents, case, and the forms of one letter. Its length may be another. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter)
}

/** A text and the same folded, with the way back from places in the one to places in the other. */
export class FoldedText {
  readonly text: string
  readonly folded: string
  /** Where each stretch begins, in both. */
  readonly #stretches: { text: number; folded: number }[] = []

  constructor(text: string) {
    this.text = text
    const parts: string[] = []
    let length = 0
    for (const [start, stretch] of stretchesOf(text)) {
      const folded = fold(stretch)
      this.#stretches.push({ text: start, folded: length })
      parts.push(folded)
      length += folded.length
    }
    this.folded = parts.join('')
  }

  /** The place in the text of a place in the folded text. */
  originalIndexOf(place: number): number {
    const found = this.#stretches.findLast((stretch) => stretch.folded <= place)
    if (!found) return 0
    let { text: at, folded } = found
    for (const character of clustersOf(this.text.slice(at, at + MAX_STRETCH * 2))) {
      if (folded >= place) break
      folded += fold(character).length
      at += character.length
    }
    return at
  }
}

/** So much is folded at once; what has to be looked at letter by letter is no more than this. */
const MAX_STRETCH = 512

/** A letter with the marks that belong to it. */
const CLUSTER = /[\s\S]\p{M}*/gu

function* clustersOf(text: string): Generator<string> {
  for (const [cluster] of text.matchAll(CLUSTER)) yield cluster
}

/** The text in stretches, none of which ends within a letter. */
function* stretchesOf(text: string): Generator<[start: number, stretch: string]> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + MAX_STRETCH, text.length)
    while (end < text.length && isWithinLetter(text, end)) end += 1
    yield [start, text.slice(start, end)]
    start = end
  }
}

function isWithinLetter(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return (code >= 0xdc00 && code <= 0xdfff) || (code > 0x7f && /\p{M}|[\u1160-\u11ff]/u.test(text.charAt(place)))
}
