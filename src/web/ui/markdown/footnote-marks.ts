import type { Tokenizer, Tokens } from 'marked'
import { createElement } from 'react'
import { Footnote, FootnoteMark } from './footnotes.tsx'
import type { DrawnToken } from './formula-marks.ts'

const LABEL = String.raw`\[\^([^\]\s^]{1,40})\]`
const MARK = new RegExp(`^${LABEL}`)
const NOTE = new RegExp(String.raw`^ {0,3}${LABEL}:[ \t]*([^\n]*(?:\n(?![ \t]*(?:\n|$| {0,3}\[\^))[^\n]*)*)(?:\n|$)`)

/** Adds footnotes to a tokenizer: `[^1]` in the text and `[^1]: …` on a line of its own. */
export function addFootnotes(tokenizer: Tokenizer): void {
  const { space, escape, paragraph } = tokenizer
  tokenizer.space = (text) => (note(tokenizer, text) as Tokens.Space | undefined) ?? space.call(tokenizer, text)
  tokenizer.escape = (text) => (mark(text) as Tokens.Escape | undefined) ?? escape.call(tokenizer, text)
  tokenizer.paragraph = (text) => {
    const token = paragraph.call(tokenizer, text)
    const end = token ? token.raw.search(/\n {0,3}\[\^[^\]\s^]{1,40}\]:/) + 1 : 0
    return end > 0 ? paragraph.call(tokenizer, text.slice(0, end)) : token
  }
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
