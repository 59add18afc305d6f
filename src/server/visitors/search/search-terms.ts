import type { Piece } from '../../../contract/search.ts'
import { fold, FoldedText } from './folded-text.ts'

/** Words of one search; more do not find less. */
const MAX_WORDS = 10
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts that put no spaces between words: there a word is found wherever it stands. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** UTF-16 code units of a snippet, and how many of them stand before what was found. */
const SNIPPET_LENGTH = 160
const SNIPPET_BEFORE = 40
/** Places of a text that are looked at for its snippet. */
const MAX_MATCHES = 200

interface Match {
  word: number
  start: number
  end: number
}

/** What somebody searches for: words, each found where a word begins with it. */
export class SearchTerms {
  readonly #patterns: RegExp[]

  constructor(query: string) {
    const words = [...new Set(fold(query).match(WORD) ?? [])].slice(0, MAX_WORDS)
    this.#patterns = words.map((word) => new RegExp(UNSPACED.test(word) ? word : `(?<![\\p{L}\\p{N}\\p{M}])${word}`, 'gu'))
  }

  /** Signs alone are no words, and are found nowhere. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0
  }

  /** Whether all of them are in the text. */
  matches(text: string): boolean {
    const folded = fold(text)
    return !this.isEmpty && this.#patterns.every((pattern) => folded.search(pattern) >= 0)
  }

  /** The whole text, with the words marked. */
  highlight(text: string): Piece[] {
    const folded = new FoldedText(text)
    return pieces(folded, this.#placesIn(folded.folded), 0, text.length)
  }

  /** The place of the text where most of the words stand together, on one line. */
  snippet(text: string): Piece[] {
    const folded = new FoldedText(text)
    const places = this.#placesIn(folded.folded)
    const best = bestStart(places)
    const start = wordStart(text, folded.originalIndexOf(best) - SNIPPET_BEFORE)
    const end = wordEnd(text, start + SNIPPET_LENGTH)
    const cut = pieces(folded, places, start, end).map((piece) => ({ ...piece, text: piece.text.replaceAll(/\s+/g, ' ') }))
    return [...(start > 0 ? [ELLIPSIS] : []), ...cut, ...(end < text.length ? [ELLIPSIS] : [])]
  }

  /** In order, none within another. */
  #placesIn(folded: string): Match[] {
    const all = this.#patterns.flatMap((pattern, word) =>
      [...take(folded.matchAll(pattern), MAX_MATCHES)].map(({ index, 0: found }) => ({ word, start: index, end: index + found.length })),
    )
    const inOrder = all.toSorted((a, b) => a.start - b.start || b.end - a.end)
    let end = -1
    return inOrder.filter((place) => {
      if (place.start < end) return false
      end = place.end
      return true
    })
  }
}

const ELLIPSIS: Piece = { text: '…', marked: false }

/** Where a stretch begins in which the most different words are. */
function bestStart(places: Match[]): number {
  let best = { start: places[0]?.start ?? 0, words: 0 }
  for (const [index, { start }] of places.entries()) {
    const near = places.slice(index, index + MAX_WORDS).filter((place) => place.end - start < SNIPPET_LENGTH - SNIPPET_BEFORE)
    const words = new Set(near.map(({ word }) => word)).size
    if (words > best.words) best = { start, words }
  }
  return best.start
}

function pieces(folded: FoldedText, places: Match[], from: number, to: number): Piece[] {
  const found: Piece[] = []
  let at = from
  const add = (end: number, marked: boolean) => {
    if (end > at) found.push({ text: folded.text.slice(at, end), marked })
    at = Math.max(at, end)
  }
  for (const place of places) {
    const [start, end] = [folded.originalIndexOf(place.start), folded.originalIndexOf(place.end)]
    if (end <= from) continue
    if (start >= to) break
    add(Math.min(start, to), false)
    add(Math.min(end, to), true)
  }
  add(to, false)
  return found
}

/** The beginning of the word at a place, if that is not far. */
function wordStart(text: string, place: number): number {
  if (place <= 0) return 0
  const before = text.slice(place - 20, place).search(/\S*$/)
  return before > 0 ? place - Math.min(20, place) + before : place
}

function wordEnd(text: string, place: number): number {
  if (place >= text.length) return text.length
  const after = text.slice(place, place + 20).search(/\s/)
  return after >= 0 ? place + after : place
}

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const value of values) {
    if (count++ >= most) return
    yield value
  }
}
