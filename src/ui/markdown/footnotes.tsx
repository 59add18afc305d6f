import { type MouseEvent, type ReactNode, createElement } from 'react'
import { useTranslate } from '../language/translate.ts'
import './footnotes.css'
import type { Tokenizer, Tokens } from 'marked'
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

/** A footnote reference in the text, linked to the note. */
function FootnoteMark({ label }: { label: string }): ReactNode {
  const t = useTranslate()
  return (
    <sup>
      <button
        type="button"
        className="footnote-mark"
        data-mark={label}
        aria-label={t('Footnote {label}', { label })}
        onClick={goTo('note', label)}
      >
        {label}
      </button>
    </sup>
  )
}

/** A footnote, linked back to its reference. */
function Footnote({ label, children }: { label: string; children?: ReactNode }): ReactNode {
  const t = useTranslate()
  return (
    <p className="footnote" dir="auto">
      <button
        type="button"
        className="footnote-mark"
        data-note={label}
        aria-label={t('Back to footnote {label} in the text', { label })}
        onClick={goTo('mark', label)}
      >
        {label}
      </button>
      <span>{children}</span>
    </p>
  )
}

/** Scrolls to the first element of a kind with the same label in the same text. A link would change the chat's address. */
const goTo = (kind: 'mark' | 'note', label: string) => (event: MouseEvent<HTMLElement>) => {
  const all = event.currentTarget.closest('.prose')?.querySelectorAll<HTMLElement>(`[data-${kind}]`) ?? []
  const other = [...all].find(({ dataset }) => dataset[kind] === label)
  other?.scrollIntoView({ block: 'center' })
  other?.focus({ preventScroll: true })
}
