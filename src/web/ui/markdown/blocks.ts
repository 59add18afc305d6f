import type { Token, Tokenizer, Tokens } from 'marked'
import { BoundedLexer, type Continuation, MAX_MARKED_CHARACTERS } from './bounded-lexer.ts'

/** A top-level piece of Markdown. Its identity is kept while its text does not change. */
export type Block = Token

/** What Markdown may hold beyond the usual, loaded when a text may have it (`extended-marks.ts`). */
export interface ExtendedMarks {
  /** Teaches a tokenizer to find them. What it finds has a `draw`, as in `DrawnToken`. */
  extend(tokenizer: Tokenizer): void
  /** `completeMarkdown`, with them in mind. */
  complete(source: string): string
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
export function lexBlocks(source: string, before: Lexed = NOTHING, marks?: ExtendedMarks): Lexed {
  const settled = before.blocks.slice(0, -1)
  const length = settled.reduce((sum, block) => sum + block.raw.length, 0)
  const kept = source.startsWith(before.source.slice(0, length)) ? settled : []
  const last: Tokens.Generic | undefined = before.blocks.at(-1)
  const fresh = kept === settled ? lex(source.slice(length), marks, last?.['continues']) : lex(source, marks)
  return { source, blocks: joinSpaces([...kept, ...fresh]) }
}

/** Lexes; a part that exhausts the stack (quotes within quotes by the thousand) is kept as it is written. */
function lex(source: string, marks?: ExtendedMarks, continuation?: Continuation): Token[] {
  try {
    const lexer = new BoundedLexer(continuation)
    if (lexer.options.tokenizer) marks?.extend(lexer.options.tokenizer)
    return lexer.lex(source)
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

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/**
 * Markdown that is still being written, made fit to be shown: marks that were opened are closed or held back until it is clear
 * what they are, so that nothing jumps when the rest arrives. Only the last lines are touched.
 */
export function completeMarkdown(source: string): string {
  const start = tailStart(source)
  const head = source.slice(0, start)
  if (isInsideFence(source)) return source.replace(/\n[ \t]*[`~]{1,}$/, '')
  return head + completeTail(source.slice(start))
}

/** Where the last paragraph begins, or of a long one its last lines. */
export function tailStart(source: string): number {
  const paragraph = source.lastIndexOf('\n\n') + 1
  if (source.length - paragraph <= MAX_MARKED_CHARACTERS) return paragraph
  const line = source.indexOf('\n', source.length - MAX_MARKED_CHARACTERS)
  return line < 0 ? source.length : line
}

/** Whether the text ends within a block of code. */
export function isInsideFence(source: string): boolean {
  let open = ''
  for (const line of source.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (!mark) continue
    if (!open) open = mark
    else if (mark[0] === open[0] && mark.length >= open.length && line.trim() === mark) open = ''
  }
  return open !== ''
}

function completeTail(tail: string): string {
  const held = holdTableHead(tail)
    // A line of marks alone: a heading, rule, list, fence or quote that has not begun yet.
    .replace(/(^|\n)[ \t]*(?:#{1,6}|[-*+=_`~>]{1,}|\d{1,9}[.)]?|[-*+] \[?[ xX]?\]?)[ \t]*$/, '$1')
    // A link or image: its text alone until the address is complete.
    .replace(/!\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/, '')
    .replace(/\[([^\]\n]*)(?:\](?:\([^)\n]*)?)?$/, '$1')
    .replace(/<[^>\s]*$/, '')
  return held + closers(held)
}

/** Leaves out the head of a table until the rule below it is complete and says that it is one. */
function holdTableHead(tail: string): string {
  const lines = tail.split('\n')
  const first = lines.findLastIndex((line) => !line.startsWith('|')) + 1
  const [head, rule] = lines.slice(first)
  const isTable = head === undefined || (rule !== undefined && /^\|[-:| ]*-[-:| ]*\|[ \t]*$/.test(rule))
  return isTable ? tail : lines.slice(0, first).join('\n') + (first > 0 ? '\n' : '')
}

/** What closes the code and emphasis that the text leaves open, innermost first. */
function closers(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  const outside = line.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
  const code = /`+/.exec(outside)?.[0]
  if (code) return outside.endsWith(code) ? '' : code
  return ['~~', '**', '*'].reduce((close, mark) => close + (isOpen(outside, mark) ? mark : ''), '')
}

function isOpen(line: string, mark: string): boolean {
  const others = mark === '*' ? line.replaceAll('**', '') : line
  const pieces = others.split(mark)
  return pieces.length % 2 === 0 && /^\S/.test(pieces.at(-1) ?? '')
}
