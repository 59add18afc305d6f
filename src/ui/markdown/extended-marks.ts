import type { Tokenizer } from 'marked'
import { addFootnotes } from './footnotes.tsx'
import { addFormulas, FORMULA, hideIncompleteFormula, type DrawnToken } from './formula-marks.ts'
import { completeMarkdown, isInsideFence, tailStart } from './streaming-markdown.ts'
import { createElement, lazy, Suspense } from 'react'
import { CodeBlock } from './code-block.tsx'

export function extend(tokenizer: Tokenizer): void {
  addFormulas(tokenizer)
  addFootnotes(tokenizer)
  addDiagrams(tokenizer)
}

const FORMULAS = new RegExp(`(\`+)(?!\`)[^\n]*?[^\`]\\1(?!\`)|${FORMULA}`, 'gu')
/** Placeholder for a formula while marks are completed; a private-use character. */
const PLACEHOLDER = '\uE000'

/** Like `completeMarkdown`, but leaves formulas alone and hides an incomplete one. */
export function complete(source: string): string {
  if (isInsideFence(source)) return completeMarkdown(source)
  const start = tailStart(source)
  const aside: string[] = []
  // Code is replaced too, because it may look like a formula.
  const tail = source
    .slice(start)
    .replaceAll(PLACEHOLDER, '')
    .replaceAll(FORMULAS, (found) => {
      aside.push(found)
      return PLACEHOLDER
    })
  return completeMarkdown(source.slice(0, start) + hideIncompleteFormula(tail)).replaceAll(PLACEHOLDER, () => aside.shift() ?? '')
}

/** Loaded on demand. Offline, the code is shown. */
const Diagram = lazy(() => import('../diagram/diagram.tsx').catch(() => ({ default: code })))

const code = ({ source }: { source: string }) => createElement(CodeBlock, { code: source, language: 'mermaid', isOpen: false })

/** A closed fence. */
const CLOSED = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*\n)? {0,3}\1[`~]* *\n*$/

function addDiagrams(tokenizer: Tokenizer): void {
  const { fences } = tokenizer
  tokenizer.fences = (text) => {
    const token = fences.call(tokenizer, text)
    if (!token || !/^mermaid(?:\s|$)/i.test(token.lang ?? '') || !CLOSED.test(token.raw)) return token
    const { text: source } = token
    const draw = () => createElement(Suspense, { key: source, fallback: code({ source }) }, createElement(Diagram, { source }))
    // Marked types only its own tokens but handles any.
    return { type: 'diagram', raw: token.raw, text: source, draw } satisfies DrawnToken as unknown as typeof token
  }
}
