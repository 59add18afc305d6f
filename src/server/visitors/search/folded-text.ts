import { fold } from '../../../text/fold.ts'

/** A text and its folded form, with a mapping from indexes of the folded form to the text. */
export class FoldedText {
  readonly text: string
  readonly folded: string
  /** Where each segment begins, in both. */
  readonly #segments: { text: number; folded: number }[] = []

  constructor(text: string) {
    this.text = text
    const parts: string[] = []
    let length = 0
    for (const [start, segment] of segmentsOf(text)) {
      const folded = fold(segment)
      this.#segments.push({ text: start, folded: length })
      parts.push(folded)
      length += folded.length
    }
    this.folded = parts.join('')
  }

  /** The index in the text of an index in the folded text. */
  originalIndexOf(place: number): number {
    const found = this.#segments.findLast((segment) => segment.folded <= place)
    if (!found) return 0
    let { text: at, folded } = found
    for (const character of clustersOf(this.text.slice(at, at + MAX_SEGMENT_CHARACTERS * 2))) {
      if (folded >= place) break
      folded += fold(character).length
      at += character.length
    }
    return at
  }
}

/** Characters folded at once, and the most that are mapped letter by letter. */
const MAX_SEGMENT_CHARACTERS = 512

/** A letter with its combining marks. */
const CLUSTER = /[\s\S]\p{M}*/gu

function* clustersOf(text: string): Generator<string> {
  for (const [cluster] of text.matchAll(CLUSTER)) yield cluster
}

/** Splits the text into segments that never end within a letter. */
function* segmentsOf(text: string): Generator<[start: number, segment: string]> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + MAX_SEGMENT_CHARACTERS, text.length)
    while (end < text.length && isWithinLetter(text, end)) end += 1
    yield [start, text.slice(start, end)]
    start = end
  }
}

function isWithinLetter(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return (code >= 0xdc00 && code <= 0xdfff) || (code > 0x7f && /\p{M}|[\u1160-\u11ff]/u.test(text.charAt(place)))
}
