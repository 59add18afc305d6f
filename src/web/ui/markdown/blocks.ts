import type { Token, Tokenizer, Tokens } from 'marked'
import { BoundedLexer, type Continuation } from './bounded-lexer.ts'

/** A top-level piece of Markdown. Its identity is kept while its text does not change. */
export type Block = Token

/** What Markdown may hold beyond the usual, loaded when a text may have it (`extended-marks.ts`). */
export interface ExtendedMarks {
  /** Teaches a tokenizer to find them. What it finds has a `draw`, as in `DrawnToken`. */
  extend(tokenizer: Tokenizer): void
  /** `completeMarkdown` of growing-markdown.ts, with them in mind. */
  complete(source: string): string
}

/** What is known of a text that is still being written (`growing-markdown.ts`). */
export interface Growing {
  /** Makes it fit to be shown. */
  complete(source: string): string
  /** The block `before` when its text has become `raw`, if that can be told by lexing a part of it; undefined if not. */
  goOn(before: Block, raw: string, lexInline: (source: string) => Token[]): Block | undefined
}

interface Lexed {
  source: string
  blocks: Block[]
}

const NOTHING: Lexed = { source: '', blocks: [] }

/**
 * Splits Markdown into blocks. Given the result for a shorter text that begins alike, keeps its blocks except the last one,
 * which may still change; so each step costs as much as the open block, not as the whole text.
 */
export function lexBlocks(source: string, before: Lexed = NOTHING, marks?: ExtendedMarks, growing?: Growing): Lexed {
  const settled = before.blocks.slice(0, -1)
  const length = settled.reduce((sum, block) => sum + block.raw.length, 0)
  const kept = source.startsWith(before.source.slice(0, length)) ? settled : []
  const last: Tokens.Generic | undefined = before.blocks.at(-1)
  if (kept !== settled) return { source, blocks: joinSpaces(lex(source, marks)) }
  const open = source.slice(length)
  const grown = last && growing?.goOn(last, open, (text) => newLexer(marks).inlineTokens(text))
  return { source, blocks: joinSpaces([...kept, ...(grown ? [grown] : lex(open, marks, last?.['continues']))]) }
}

function newLexer(marks?: ExtendedMarks, continuation?: Continuation): BoundedLexer {
  const lexer = new BoundedLexer(continuation)
  if (lexer.options.tokenizer) marks?.extend(lexer.options.tokenizer)
  return lexer
}

/** Lexes; a part that exhausts the stack (quotes within quotes by the thousand) is kept as it is written. */
function lex(source: string, marks?: ExtendedMarks, continuation?: Continuation): Token[] {
  try {
    return newLexer(marks, continuation).lex(source)
  } catch (error) {
    const parts = source.split(/(?<=\n\n)(?=[^\n])/)
    if (parts.length > 1) return parts.flatMap((part) => lex(part, marks))
    console.error(error)
    return [{ type: 'paragraph', raw: source, tokens: [{ type: 'escape', raw: source, text: source }] }]
  }
}

/** Gives each blank stretch to the block before it: a list goes on after a blank line, so the two stay open together. */
function joinSpaces(tokens: Token[]): Block[] {
  const blocks: Block[] = []
  for (const token of tokens) {
    const last = blocks.at(-1)
    if (token.type === 'space' && last) blocks[blocks.length - 1] = { ...last, raw: last.raw + token.raw }
    else blocks.push(token)
  }
  return blocks
}
