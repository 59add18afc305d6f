import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'

/** The longest stretch of text that is searched for marks; the lexer takes the square of its length for some of them. */
export const MAX_MARKED_CHARACTERS = 4_000

/** A longer list, table or quote becomes several: the lexer takes the square of its length, and it is drawn as a whole. */
const MAX_BLOCK_CHARACTERS = 6_000
/** Of a list with short items, so many. */
const MAX_ITEMS = 250

/** What a list or a table that was cut says to its other part: the number it goes on with, or its head. */
export type Continuation = { start: number } | { head: string }

/** The lexer of marked, for answers of any length. `continuation` is that of the block the source begins with. */
export class BoundedLexer extends Lexer {
  constructor(continuation?: Continuation) {
    super({ gfm: true, tokenizer: new BoundedTokenizer(continuation) })
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= MAX_MARKED_CHARACTERS) return super.inlineTokens(source, tokens)
    tokens.push({ type: 'escape', raw: source, text: source })
    return tokens
  }
}

/** Tells cheaply that there may be a table: a line, and the rule below it. */
const TABLE = /^[^\n]+\n[ \t|:-]*-[ \t|:-]*(?:\n|$)/

class BoundedTokenizer extends Tokenizer {
  /** Of the part that comes next, if that is where the block before it was cut. */
  #continuation: Continuation | undefined
  /** The length of the source that is left there; undefined for a source that begins with the other part. */
  #lengthLeft: number | undefined

  constructor(continuation?: Continuation) {
    super()
    this.#continuation = continuation
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return /^ {0,3}>/.test(source) ? super.blockquote(cut(source, /\n/g)) : undefined
  }

  /** Two tildes strike out; one is written for "about", and in ranges ("5~10"). */
  override del(source: string, ...rest: [maskedSource: string, before?: string]): Tokens.Del | undefined {
    return source.startsWith('~~') ? super.del(source, ...rest) : undefined
  }

  override list(source: string): Tokens.List | undefined {
    const begin = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?=[ \t\n]|$)/.exec(source)
    if (!begin) return undefined
    // Before an item of this list, or where one item is longer than all, before any line.
    const part = cut(source, new RegExp(`\\n(?=${begin[1]}(?:[-*+]|\\d{1,9}[.)])[ \\t])`, 'g'), MAX_ITEMS)
    const before = this.#continuationAt(source)
    const list = super.list(part)
    if (!list) return undefined
    if (list.ordered && before && 'start' in before) list.start = before.start
    this.#remember(source, list, part.length, { start: Number(list.start) + list.items.length }, before)
    return list
  }

  override table(source: string): Tokens.Table | undefined {
    const before = this.#continuationAt(source)
    const head = before && 'head' in before && source.startsWith('|') ? before.head : ''
    if (!head && !TABLE.test(source)) return undefined
    const part = cut(source, /\n/g)
    const table = super.table(head + part)
    if (!table) return undefined
    table.raw = table.raw.slice(head.length)
    this.#remember(source, table, part.length, { head: head || /^.*\n.*\n/.exec(part)?.[0] || '' }, before)
    return table
  }

  #continuationAt(source: string): Continuation | undefined {
    const isHere = this.#lengthLeft === undefined || this.#lengthLeft === source.trimStart().length
    return isHere ? this.#continuation : undefined
  }

  #remember(source: string, token: Tokens.Generic, length: number, next: Continuation, before: Continuation | undefined): void {
    if (before) token['continues'] = before
    const isCut = length < source.length && token.raw.trimEnd().length === source.slice(0, length).trimEnd().length
    this.#continuation = isCut ? next : undefined
    this.#lengthLeft = source.slice(token.raw.length).trimStart().length
  }
}

/** The source up to the last of the places within the longest block, or up to its last line there; whole if it is shorter, with no more than `most` places. */
function cut(source: string, places: RegExp, most = Number.POSITIVE_INFINITY): string {
  const start = source.slice(0, MAX_BLOCK_CHARACTERS)
  const found = source.length > most || start.length < source.length ? [...start.matchAll(places)] : []
  if (start.length === source.length && found.length < most) return source
  const last = (found[most - 1] ?? found.at(-1))?.index ?? start.lastIndexOf('\n')
  return last > 0 ? source.slice(0, last + 1) : source
}
