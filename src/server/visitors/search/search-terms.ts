import { fold } from '../../../text/fold.ts'
import type { Piece } from '../../../contract/chat/search.ts'

/** A text and its folded form, with a mapping from indexes of the folded form to the text. */
class FoldedText {
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

const MAX_WORDS = 10
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts without spaces between words, in which a word matches anywhere. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** UTF-16 code units of a snippet, and how many of them precede the match. */
const SNIPPET_LENGTH = 160
const SNIPPET_BEFORE = 40
/** Matches of a word that are considered for a snippet. */
const MAX_MATCHES = 200

interface Match {
  word: number
  start: number
  end: number
}

/** The words of a search; each matches the beginning of a word. */
export class SearchTerms {
  readonly #patterns: RegExp[]

  constructor(query: string) {
    const words = [...new Set(fold(query).match(WORD) ?? [])].slice(0, MAX_WORDS)
    this.#patterns = words.map((word) => new RegExp(UNSPACED.test(word) ? word : `(?<![\\p{L}\\p{N}\\p{M}])${word}`, 'gu'))
  }

  /** Whether the query has no words, only punctuation, which never matches. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0
  }

  matches(text: string): boolean {
    const folded = fold(text)
    return !this.isEmpty && this.#patterns.every((pattern) => folded.search(pattern) >= 0)
  }

  /** The whole text with the matches marked. */
  highlight(text: string): Piece[] {
    const folded = new FoldedText(text)
    return pieces(folded, this.#matchesIn(folded.folded), 0, text.length)
  }

  /** An excerpt around the closest matches of the most words, on one line. */
  snippet(text: string): Piece[] {
    const folded = new FoldedText(text)
    const matches = this.#matchesIn(folded.folded)
    const best = bestStart(matches)
    const start = wordStart(text, folded.originalIndexOf(best) - SNIPPET_BEFORE)
    const end = wordEnd(text, start + SNIPPET_LENGTH)
    const cut = pieces(folded, matches, start, end).map((piece) => ({ ...piece, text: piece.text.replaceAll(/\s+/g, ' ') }))
    return [...(start > 0 ? [ELLIPSIS] : []), ...cut, ...(end < text.length ? [ELLIPSIS] : [])]
  }

  /** In order, without overlaps. */
  #matchesIn(folded: string): Match[] {
    const all = this.#patterns.flatMap((pattern, word) =>
      [...take(folded.matchAll(pattern), MAX_MATCHES)].map(({ index, 0: found }) => ({ word, start: index, end: index + found.length })),
    )
    const inOrder = all.toSorted((a, b) => a.start - b.start || b.end - a.end)
    let end = -1
    return inOrder.filter((match) => {
      if (match.start < end) return false
      end = match.end
      return true
    })
  }
}

const ELLIPSIS: Piece = { text: '…', marked: false }

/** Where the excerpt with the most different words begins. */
function bestStart(matches: Match[]): number {
  let best = { start: matches[0]?.start ?? 0, words: 0 }
  for (const [index, { start }] of matches.entries()) {
    const near = matches.slice(index, index + MAX_WORDS).filter((match) => match.end - start < SNIPPET_LENGTH - SNIPPET_BEFORE)
    const words = new Set(near.map(({ word }) => word)).size
    if (words > best.words) best = { start, words }
  }
  return best.start
}

function pieces(folded: FoldedText, matches: Match[], from: number, to: number): Piece[] {
  const found: Piece[] = []
  let at = from
  const add = (end: number, marked: boolean) => {
    if (end > at) found.push({ text: folded.text.slice(at, end), marked })
    at = Math.max(at, end)
  }
  for (const match of matches) {
    const [start, end] = [folded.originalIndexOf(match.start), folded.originalIndexOf(match.end)]
    if (end <= from) continue
    if (start >= to) break
    add(Math.min(start, to), false)
    add(Math.min(end, to), true)
  }
  add(to, false)
  return found
}

/** The start of the word at an index, if it is near. */
function wordStart(text: string, index: number): number {
  if (index <= 0) return 0
  const before = text.slice(index - 20, index).search(/\S*$/)
  return before > 0 ? index - Math.min(20, index) + before : index
}

function wordEnd(text: string, index: number): number {
  if (index >= text.length) return text.length
  const after = text.slice(index, index + 20).search(/\s/)
  return after >= 0 ? index + after : index
}

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const value of values) {
    if (count++ >= most) return
    yield value
  }
}
