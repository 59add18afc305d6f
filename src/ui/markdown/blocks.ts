import { type Token, type Tokenizer, type Tokens, Lexer } from 'marked'
import { type Continuation, BoundedTokenizer, DEEPEST, MAX_MARKED_CHARACTERS } from './bounded-tokenizer.ts'

/** A top-level block of Markdown. The object stays the same while its text does not change. */
export type Block = Token

/** Extensions to Markdown, loaded when a text may contain them (`extended-marks.ts`). */
export interface ExtendedMarks {
  /** Adds them to a tokenizer. Their tokens have a `draw`, as in `DrawnToken`. */
  extend(tokenizer: Tokenizer): void
  /** Like `completeMarkdown` of streaming-markdown.ts, with these extensions. */
  complete(source: string): string
}

interface Lexed {
  source: string
  blocks: Block[]
}

const NOTHING: Lexed = { source: '', blocks: [] }

/**
 * Splits Markdown into blocks. Given the result for a prefix of the text, it reuses all blocks but the last, which may still change, so
 * each step costs as much as the open block, not the whole text.
 */
export function lexBlocks(source: string, before: Lexed = NOTHING, marks?: ExtendedMarks): Lexed {
  const settled = before.blocks.slice(0, -1)
  const length = settled.reduce((sum, block) => sum + block.raw.length, 0)
  const kept = source.startsWith(before.source.slice(0, length)) ? settled : []
  const last: Tokens.Generic | undefined = before.blocks.at(-1)
  if (kept !== settled) return { source, blocks: joinSpaces(lex(source, marks)) }
  return { source, blocks: joinSpaces([...kept, ...lex(source.slice(length), marks, last?.['continues'])]) }
}

function newLexer(marks?: ExtendedMarks, continuation?: Continuation): BoundedLexer {
  const lexer = new BoundedLexer(continuation)
  if (lexer.options.tokenizer) marks?.extend(lexer.options.tokenizer)
  return lexer
}

/** Lexes a text. Should a part of it exhaust the stack, which the limits of the lexer prevent, that part stays plain text. */
function lex(source: string, marks?: ExtendedMarks, continuation?: Continuation): Token[] {
  try {
    const tokens: Token[] = newLexer(marks, continuation).lex(source)
    return tokens.map((token, index) => repair(token, index === tokens.length - 1, marks))
  } catch (error) {
    const parts = source.split(/(?<=\n\n)(?=[^\n])/)
    if (parts.length > 1) return parts.flatMap((part) => lex(part, marks))
    console.error(error)
    return [{ type: 'paragraph', raw: source, tokens: [{ type: 'escape', raw: source, text: source }] }]
  }
}

/** Reads a paragraph that was meant to be a table as one. */
function repair(token: Token, isLast: boolean, marks?: ExtendedMarks): Token {
  const table = token.type === 'paragraph' ? repairedTable(token.raw, isLast) : null
  const read = table === null ? undefined : newLexer(marks).lex(table)[0]
  return read?.type === 'table' ? { ...read, raw: token.raw } : token
}

/** Attaches white space to the block before it, because a list may continue after a blank line. */
function joinSpaces(tokens: Token[]): Block[] {
  const blocks: Block[] = []
  for (const token of tokens) {
    const last = blocks.at(-1)
    if (token.type === 'space' && last) blocks[blocks.length - 1] = { ...last, raw: last.raw + token.raw }
    else blocks.push(token)
  }
  return blocks
}

/** Marked's lexer, bounded for answers of any length. `continuation` applies to the first block of the source. */
class BoundedLexer extends Lexer {
  readonly #bounded: BoundedTokenizer
  #depth = 0

  constructor(continuation?: Continuation) {
    const tokenizer = new BoundedTokenizer(continuation)
    super({ gfm: true, tokenizer })
    this.#bounded = tokenizer
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length > MAX_MARKED_CHARACTERS || this.#depth >= DEEPEST) {
      tokens.push({ type: 'escape', raw: source, text: source })
      return tokens
    }
    if (this.#depth === 0) this.#bounded.beginText()
    this.#depth += 1
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.#depth -= 1
    }
  }
}

/** Larger broken tables stay as written. */
const MAX_TABLE_CHARACTERS = 4_000
const MAX_TABLE_CELLS = 1_500

/** A row of marks that separates the head from the rows. */
const RULE = /^\|[\s|:-]*-[\s|:-]*$/
/** The first row of a table that was cut off in it. */
const CUT_TABLE_HEAD = /^\| \S/
const WHOLE_ROW = /^\|.*\S.*\|.*\|$/

/**
 * The table that a paragraph of rows was meant to be: with a rule below its first row, as wide as its widest one. Null for other paragraphs.
 * `isLast` says that the text may have been cut off in it.
 */
function repairedTable(paragraph: string, isLast: boolean): string | null {
  if (!paragraph.startsWith('|') || paragraph.length > MAX_TABLE_CHARACTERS) return null
  const lines = paragraph
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const rows = lines.filter((line) => !RULE.test(line))
  const [head = ''] = rows
  const isTable = WHOLE_ROW.test(head) || (isLast && CUT_TABLE_HEAD.test(head))
  if (!isTable || !lines.every((line) => line.startsWith('|'))) return null
  const columns = Math.max(...rows.map(columnsOf))
  if (columns * rows.length > MAX_TABLE_CELLS) return null
  const wide = closedRow(head) + ' |'.repeat(columns - columnsOf(head))
  return [wide, `${'|---'.repeat(columns)}|`, ...rows.slice(1)].join('\n')
}

const closedRow = (row: string): string => (/(?<!\\)\|$/.test(row) ? row : `${row} |`)

const columnsOf = (row: string): number => closedRow(row).replaceAll(/\\./g, '').split('|').length - 2
