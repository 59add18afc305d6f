import type { Tokenizer, Tokens } from 'marked'
import { createElement } from 'react'
import { Footnote, FootnoteMark } from './footnotes.tsx'
import type { DrawnToken } from './formula-marks.ts'

const LABEL = String.raw`\[\^([^\]\s^]{1,40})\]`
const MARK = new RegExp(`^${LABEL}`)
const NOTE = new RegExp(String.raw`^ {0,3}${LABEL}:[ \t]*([^\n]*(?:\n(?![ \t]*(?:\n|$| {0,3}\[\^))[^\n]*)*)(?:\n|$)`)

/** Adds footnotes to a tokenizer: `[^1]` in the text and `[^1]: …` on a line of its own. */
export function addFootnotes(tokenizer: Tokenizer): void {
  const { space, escape, rules } = tokenizer
  tokenizer.space = (text) => (note(tokenizer, text) as Tokens.Space | undefined) ?? space.call(tokenizer, text)
  tokenizer.escape = (text) => (mark(text) as Tokens.Escape | undefined) ?? escape.call(tokenizer, text)
  // A paragraph ends before a note.
  const paragraph = new RegExp(rules.block.paragraph.source.replace(String.raw`\n(?!`, (before) => `${before} {0,3}${LABEL}:|`))
  tokenizer.rules = { ...rules, block: { ...rules.block, paragraph } }
}

function mark(text: string): DrawnToken | undefined {
  const [raw, label] = MARK.exec(text) ?? []
  if (raw === undefined || label === undefined) return undefined
  return { type: 'footnote-mark', raw, draw: () => createElement(FootnoteMark, { label }) }
}

function note(tokenizer: Tokenizer, text: string): DrawnToken | undefined {
  const [raw, label, content] = NOTE.exec(text) ?? []
  if (raw === undefined || label === undefined || content === undefined) return undefined
  const tokens = tokenizer.lexer.inline(content)
  return { type: 'footnote', raw, tokens, draw: (inline) => createElement(Footnote, { label }, inline(tokens)) }
}
