import { type Token, Tokenizer, type Tokens } from 'marked'

/** Longest text that is searched for inline marks, because the lexer takes quadratic time for some. */
export const MAX_MARKED_CHARACTERS = 4_000
/** Deeper nested quotes, lists and inline marks stay as written. */
export const DEEPEST = 20

/** Longer lists, tables and quotes are split: the lexer takes quadratic time, and each is rendered as a whole. */
const MAX_BLOCK_CHARACTERS = 6_000
/** Lengths of the source that is read for one block. Most blocks end within the first, so many short ones take linear time. */
const READ_CHARACTERS = [200, 1_000, MAX_BLOCK_CHARACTERS]
/** Longer headings that are underlined are text, because each block is searched for such a line. */
const MAX_HEADING_CHARACTERS = 1_000
/** Item limit for lists with short items. */
const MAX_ITEMS = 250
/** Limits of a table: a wider one is text, a longer one is split. */
const MAX_COLUMNS = 100
const MAX_CELLS = 1_500

/**
 * Characters that a top-level quote or list may pass on to be lexed again, for each of its own: one for each level, and as many again,
 * because marked lexes some quotes twice on every level, which takes exponential time.
 */
const RELEXED_A_CHARACTER = 2 * DEEPEST
/** Characters that are searched in vain for the end of emphasis in one text. Further marks stay as written. */
const MAX_SEARCHED_CHARACTERS = 50_000

/** State passed to the next part of a split list or table: the next number, or the head. */
export type Continuation = { start: number } | { head: string }

/** A cheap check for a possible table: a line with a rule below it. */
const TABLE = /^[^\n]+\n(?=[ \t-]*[|:])[ \t|:-]*-[ \t|:-]*(?:\n|$)/

/** Marked's tokenizer with limits on the size, depth and repetition of what it reads. What exceeds them stays as written. */
export class BoundedTokenizer extends Tokenizer {
  /** State for the next part, if the previous block was split. */
  #continuation: Continuation | undefined
  /** Length of the source left at the split; undefined if the source begins with the next part. */
  #lengthLeft: number | undefined
  /** Number of quotes and lists around the current position. */
  #depth = 0
  /** Characters that the current top-level quote or list may still pass on. */
  #relexable = 0
  /** Characters that may still be searched for the end of emphasis in the current text. */
  #searchable = 0

  constructor(continuation?: Continuation) {
    super()
    this.#continuation = continuation
  }

  /** Resets the limits of one text with inline marks. */
  beginText(): void {
    this.#searchable = MAX_SEARCHED_CHARACTERS
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(source) || isLineTooLong(source)) return undefined
    return this.#readBlock(source, { places: /\n/g }, (part) => this.#within(part, () => super.blockquote(part)))?.token
  }

  override list(source: string): Tokens.List | undefined {
    const begin = /^( {0,3})(?:[-*+]|\d{1,9}[.)])(?=[ \t\n]|$)/.exec(source)
    if (!begin || isLineTooLong(source)) return undefined
    const before = this.#continuationAt(source)
    // Before an item of this list, or where one item is longer than all, before any line.
    const places = new RegExp(`\\n(?=${begin[1]}(?:[-*+]|\\d{1,9}[.)])[ \\t])`, 'g')
    const read = this.#readBlock(source, { places, most: MAX_ITEMS }, (part) => this.#within(part, () => super.list(part)))
    if (read?.token.type !== 'list') return read?.token
    const { token: list, part } = read
    if (list.ordered && before && 'start' in before) list.start = before.start
    this.#remember(source, list, part.length, { start: Number(list.start) + list.items.length }, before)
    return list
  }

  override table(source: string): Tokens.Table | undefined {
    const before = this.#continuationAt(source)
    const head = before && 'head' in before && source.startsWith('|') ? before.head : ''
    if ((!head && !TABLE.test(source)) || isLineTooLong(source)) return undefined
    const [first = '', rule = ''] = (head || source).split('\n', 2)
    const columns = columnsOf(rule)
    if (columns > MAX_COLUMNS || columnsOf(first) !== columns) return undefined
    const least = head ? 0 : first.length + rule.length + 2
    const read = this.#readBlock(source, { places: /\n/g, most: Math.ceil(MAX_CELLS / columns), least }, (part) => {
      // Rows are padded to the width of the head, so a text of short rows may have many more cells than characters.
      if (columns * part.split('\n').length > part.length + columns) return undefined
      const table = super.table(head + part)
      return table && { ...table, raw: table.raw.slice(head.length) }
    })
    if (!read) return undefined
    const { token: table, part } = read
    this.#remember(source, table, part.length, { head: head || /^.*\n.*\n/.exec(part)?.[0] || '' }, before)
    return table
  }

  override lheading(source: string): Tokens.Heading | undefined {
    const start = source.slice(0, MAX_HEADING_CHARACTERS)
    return super.lheading(start.length < source.length ? start.slice(0, start.lastIndexOf('\n') + 1) : source)
  }

  /** With an override, marked doesn't merge a paragraph with the one before it, whose text could grow without end. */
  override paragraph(source: string): Tokens.Paragraph | undefined {
    return super.paragraph(source)
  }

  override emStrong(source: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    // Within a word, an underscore opens nothing and is not searched for.
    if (!/^[*_]/.test(source) || (source.startsWith('_') && /[\p{L}\p{N}]$/u.test(before))) return undefined
    return this.#search(source, () => super.emStrong(source, masked, before))
  }

  /** Only two tildes strike out: one means "about" or a range ("5~10"). */
  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    return source.startsWith('~~') ? this.#search(source, () => super.del(source, masked, before)) : undefined
  }

  /** Reads a block from the shortest part of the source that holds all of it, or the first part of a longer block. */
  #readBlock<T extends Token>(source: string, cuts: Cuts, read: (part: string) => T | undefined): { token: T; part: string } | undefined {
    const { inlineQueue } = this.lexer
    const queued = inlineQueue.length
    for (const characters of READ_CHARACTERS) {
      const part = cut(source, characters, cuts, false)
      if (part.length < (cuts.least ?? 1) && characters < MAX_BLOCK_CHARACTERS) continue
      inlineQueue.length = queued
      const token = read(part)
      if (!token) return undefined
      if (part.length === source.length || token.raw.trimEnd().length < part.trimEnd().length) return { token, part }
    }
    const part = cut(source, MAX_BLOCK_CHARACTERS, cuts, true)
    inlineQueue.length = queued
    const token = read(part)
    return token && { token, part }
  }

  /** Reads a quote or list; its text as written if it is too deep or was lexed too often. */
  #within<T extends Token>(part: string, read: () => T | undefined): T | undefined {
    if (this.#depth === 0) this.#relexable = RELEXED_A_CHARACTER * part.length
    this.#relexable -= part.length
    if (this.#depth >= DEEPEST || this.#relexable < 0) return asWritten(part) as T
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }

  #search<T>(source: string, search: () => T | undefined): T | undefined {
    if (this.#searchable <= 0) return undefined
    const found = search()
    if (!found) this.#searchable -= source.length
    return found
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

/** Where a long block may be cut, the most of such places in one part, and the least length of a part. */
interface Cuts {
  places: RegExp
  most?: number
  least?: number
}

/**
 * The source up to its last line within some characters, or up to the last of the places if `atPlace`; with no more than `most` places.
 * Empty if not even one line fits.
 */
function cut(source: string, characters: number, { places, most = Number.POSITIVE_INFINITY }: Cuts, atPlace: boolean): string {
  const start = source.slice(0, characters)
  const found = most < start.length || atPlace ? [...start.matchAll(places)] : []
  if (start.length === source.length && found.length < most) return source
  const last = found[most - 1]?.index ?? (atPlace ? found.at(-1)?.index : undefined) ?? start.lastIndexOf('\n')
  return source.slice(0, last + 1)
}

const isLineTooLong = (source: string): boolean => source.slice(0, MAX_MARKED_CHARACTERS + 1).search(/\n|$/) > MAX_MARKED_CHARACTERS

/** Number of columns of a line of a table: of its bars that no backslash precedes, those between cells, and one. */
function columnsOf(line: string): number {
  const bars = line.trim().replaceAll(/\\./g, 'x').replace(/^\|/, '').replace(/\|$/, '')
  return bars.split('|').length
}

/** Text that is shown with its line breaks and without any marks. */
const asWritten = (source: string): Token => ({ type: 'html', block: true, pre: false, raw: source, text: source })
