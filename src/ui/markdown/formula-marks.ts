import type { Token, Tokenizer, Tokens } from 'marked'
import { createElement, type ReactNode } from 'react'
import { Formula, MOST_FORMULAS } from './formula.tsx'

/** A custom token with its own renderer. */
export interface DrawnToken extends Tokens.Generic {
  draw(inline: (tokens?: Tokens.Generic[]) => ReactNode): ReactNode
}

// A formula contains neither a blank line nor another opening mark, so matching takes linear time.
const CHARACTER = String.raw`[^\\$\n]|\\[^\n()[\]]`
const LINE_END = String.raw`\n(?![ \t]*(?:\n|$))`
const ESCAPED = String.raw`\$|\\\n`
const DOUBLE = String.raw`\$\$(?!\$|\s*\$\$)(?:${CHARACTER}|${LINE_END}|\\\n)+\$\$`
const SQUARE = String.raw`\\\[(?:${CHARACTER}|${LINE_END}|${ESCAPED})+\\\]`
const ROUND = String.raw`\\\((?:${CHARACTER}|${LINE_END}|${ESCAPED})+\\\)`
/** Pandoc's rule, plus no letter or digit next to the marks, so prices, paths and shell variables stay text. */
const SINGLE = String.raw`(?<![\p{L}\p{N}$\\])\$(?![\s$])(?:${CHARACTER})+(?<!\s)\$(?![\p{L}\p{N}$])`

/** Source of a regular expression with flag `u` that matches a formula. */
export const FORMULA = `${DOUBLE}|${SQUARE}|${ROUND}|${SINGLE}`
const HERE = new RegExp(FORMULA, 'uy')
const BLOCK_HERE = new RegExp(String.raw` {0,3}(?:${DOUBLE}|${SQUARE})[ \t]*(?:\n|$)`, 'uy')

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at
  return expression.exec(text)?.[0]
}

/** Window that is searched for a formula first. */
const NEAR_CHARACTERS = 256

/** Adds formulas to a tokenizer: `$$…$$` and `\[…\]` as blocks, `$…$` and `\(…\)` inline. */
export function addFormulas(tokenizer: Tokenizer): void {
  const { space, escape, inlineText, paragraph } = tokenizer
  let left = MOST_FORMULAS
  const token = (raw: string | undefined) => (raw !== undefined && left-- > 0 ? formulaToken(raw) : undefined)
  // Marked types only its own tokens but handles any.
  tokenizer.space = (text) => (token(matchAt(BLOCK_HERE, text, 0)) as Tokens.Space | undefined) ?? space.call(tokenizer, text)
  tokenizer.escape = (text) => (token(matchAt(HERE, text, 0)) as Tokens.Escape | undefined) ?? escape.call(tokenizer, text)
  const upTo = <T extends Token>(indexOf: typeof indexOfFormula, read: (text: string) => T | undefined) =>
    left > 0 ? (text: string) => readUpTo(indexOf, read, text) : read
  tokenizer.inlineText = (text) => upTo(indexOfFormula, inlineText.bind(tokenizer))(text)
  tokenizer.paragraph = (text) => upTo(indexOfBlock, paragraph.bind(tokenizer))(text)
  const { inline } = tokenizer.rules
  // Asterisks and underscores in a formula are not emphasis.
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

/** Index of the first formula that starts within `length` characters, or -1. */
function indexOfFormula(text: string, length: number): number {
  for (let at = text.indexOf('$', 1); at > 0 && at < length; at = text.indexOf('$', at + 1)) if (matchAt(HERE, text, at)) return at
  return -1
}

/** Index of the first block formula that starts within `length` characters, or -1. */
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

/** Longest text that is held back because it may be an incomplete formula. */
const MOST_HELD = { display: 4_000, inline: 60 }
const OPENED = new RegExp(String.raw`(?:\$\$|\\\[|\\\(|(?<![\p{L}\p{N}$\\])\$(?=[^\s\d$])|\$$|\\$)`, 'gu')

/** Removes an incomplete formula from the end of a streaming text. */
export function hideIncompleteFormula(text: string): string {
  const open = [...text.matchAll(OPENED)][0]
  if (!open) return text
  const isDisplay = open[0] === '$$' || open[0] === '\\['
  const held = text.slice(open.index)
  const isHeld = isDisplay ? held.length <= MOST_HELD.display : held.length <= MOST_HELD.inline && !held.includes('\n')
  return isHeld ? text.slice(0, open.index) : text
}
