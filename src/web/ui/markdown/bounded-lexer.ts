import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'

/** Longest text that is searched for inline marks, because the lexer takes quadratic time for some. */
export const MAX_MARKED_CHARACTERS = 4_000

/** Longer lists, tables and quotes are split: the lexer takes quadratic time, and each is rendered as a whole. */
const MAX_BLOCK_CHARACTERS = 6_000
/** Item limit for lists with short items. */
const MAX_ITEMS = 250

/** State passed to the next part of a split list or table: the next number, or the head. */
export type Continuation = { start: number } | { head: string }

/** Marked's lexer, bounded for answers of any length. `continuation` applies to the first block of the source. */
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

/** A cheap check for a possible table: a line with a rule below it. */
const TABLE = /^[^\n]+\n[ \t|:-]*-[ \t|:-]*(?:\n|$)/

class BoundedTokenizer extends Tokenizer {
  /** State for the next part, if the previous block was split. */
  #continuation: Continuation | undefined
  /** Length of the source left at the split; undefined if the source begins with the next part. */
  #lengthLeft: number | undefined

  constructor(continuation?: Continuation) {
    super()
    this.#continuation = continuation
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return /^ {0,3}>/.test(source) ? super.blockquote(cut(source, /\n/g)) : undefined
  }

  /** Only two tildes strike out: one means "about" or a range ("5~10"). */
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
