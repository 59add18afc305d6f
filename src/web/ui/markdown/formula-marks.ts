import type { Token, Tokenizer, Tokens } from 'marked'
import { createElement, type ReactNode } from 'react'
import { Formula, MOST_FORMULAS } from './formula.tsx'

/** A token that is no part of marked: it says itself how it is drawn. */
export interface DrawnToken extends Tokens.Generic {
  draw(inline: (tokens?: Tokens.Generic[]) => ReactNode): ReactNode
}

// Neither a blank line nor another opening is part of a formula: so each is found, or not, in one pass.
const CHARACTER = String.raw`[^\\$\n]|\\[^\n()[\]]`
const LINE_END = String.raw`\n(?![ \t]*(?:\n|$))`
const ESCAPED = String.raw`\$|\\\n`
const DOUBLE = String.raw`\$\$(?!\$|\s*\$\$)(?:${CHARACTER}|${LINE_END}|\\\n)+\$\$`
const SQUARE = String.raw`\\\[(?:${CHARACTER}|${LINE_END}|${ESCAPED})+\\\]`
const ROUND = String.raw`\\\((?:${CHARACTER}|${LINE_END}|${ESCAPED})+\\\)`
/** Pandoc's rule, and no letter or digit outside of either mark: prices, paths and variables of a shell stay what they are. */
const SINGLE = String.raw`(?<![\p{L}\p{N}$\\])\$(?![\s$])(?:${CHARACTER})+(?<!\s)\$(?![\p{L}\p{N}$])`

/** A formula, as the source of an expression with the flag `u`. */
export const FORMULA = `${DOUBLE}|${SQUARE}|${ROUND}|${SINGLE}`
const HERE = new RegExp(FORMULA, 'uy')
const BLOCK_HERE = new RegExp(String.raw` {0,3}(?:${DOUBLE}|${SQUARE})[ \t]*(?:\n|$)`, 'uy')

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at
  return expression.exec(text)?.[0]
}

/** Where a formula is looked for first; what it may follow is read for each anew. */
const NEAR_CHARACTERS = 256

/** Teaches a tokenizer formulas: `$$…$$` and `\[…\]` on their own, `$…$` and `\(…\)` within a line. */
export function addFormulas(tokenizer: Tokenizer): void {
  const { space, escape, inlineText, paragraph } = tokenizer
  let left = MOST_FORMULAS
  const token = (raw: string | undefined) => (raw !== undefined && left-- > 0 ? formulaToken(raw) : undefined)
  // Marked's tokenizer may return tokens of its own kinds only; what it does with them holds for any.
  tokenizer.space = (text) => (token(matchAt(BLOCK_HERE, text, 0)) as Tokens.Space | undefined) ?? space.call(tokenizer, text)
  tokenizer.escape = (text) => (token(matchAt(HERE, text, 0)) as Tokens.Escape | undefined) ?? escape.call(tokenizer, text)
  const upTo = <T extends Token>(indexOf: typeof indexOfFormula, read: (text: string) => T | undefined) =>
    left > 0 ? (text: string) => readUpTo(indexOf, read, text) : read
  tokenizer.inlineText = (text) => upTo(indexOfFormula, inlineText.bind(tokenizer))(text)
  tokenizer.paragraph = (text) => upTo(indexOfBlock, paragraph.bind(tokenizer))(text)
  const { inline } = tokenizer.rules
  // Stars and underscores within a formula are no emphasis.
  const masked = inline.anyPunctuationOutsideCode
  const withFormulas = new RegExp(masked.source.replace(String.raw`|\\(`, String.raw`|(${FORMULA}|\\`), masked.flags)
  tokenizer.rules = { ...tokenizer.rules, inline: { ...inline, anyPunctuationOutsideCode: withFormulas } }
}

/** Reads a token that ends before the next formula. */
function readUpTo<T extends Token>(indexOf: typeof indexOfFormula, read: (text: string) => T | undefined, text: string): T | undefined {
  const near = indexOf(text, NEAR_CHARACTERS)
  if (near > 0) return read(text.slice(0, near))
  const found = read(text)
  const end = found ? indexOf(text, found.raw.length) : -1
  return end > 0 ? read(text.slice(0, end)) : found
}

/** Where the first formula begins in the first `length` characters, or -1. It may end after them. */
function indexOfFormula(text: string, length: number): number {
  for (let at = text.indexOf('$', 1); at > 0 && at < length; at = text.indexOf('$', at + 1)) if (matchAt(HERE, text, at)) return at
  return -1
}

/** Where the first formula on lines of its own begins in the first `length` characters, or -1. */
function indexOfBlock(text: string, length: number): number {
  for (let at = text.indexOf('\n') + 1; at > 0 && at < length; at = text.indexOf('\n', at) + 1) if (matchAt(BLOCK_HERE, text, at)) return at
  return -1
}

function formulaToken(raw: string): DrawnToken {
  const source = raw.trim()
  const marks = /^(?:\$\$|\\)/.test(source) ? 2 : 1
  const isDisplay = /^(?:\$\$|\\\[)/.test(source)
  return {
    type: 'formula',
    raw,
    text: source,
    draw: () => createElement(Formula, { key: source, source, tex: source.slice(marks, -marks), isDisplay }),
  }
}

/** Longest stretch of a text that is kept back because a formula may have begun in it. */
const MOST_HELD = { display: 4_000, inline: 60 }
const OPENED = new RegExp(String.raw`(?:\$\$|\\\[|\\\(|(?<![\p{L}\p{N}$\\])\$(?=[^\s\d$])|\$$|\\$)`, 'gu')

/** Leaves out, at the end of a text that is still being written, a formula that is not complete. */
export function holdFormula(text: string): string {
  const open = [...text.matchAll(OPENED)][0]
  if (!open) return text
  const isDisplay = open[0] === '$$' || open[0] === '\\['
  const held = text.slice(open.index)
  const isHeld = isDisplay ? held.length <= MOST_HELD.display : held.length <= MOST_HELD.inline && !held.includes('\n')
  return isHeld ? text.slice(0, open.index) : text
}
