import type { Tokenizer } from 'marked'
import { createElement, lazy, Suspense } from 'react'
import { CodeBlock } from './code-block.tsx'
import type { DrawnToken } from './formula-marks.ts'

/** Loaded on demand. Offline, the code is shown. */
const Diagram = lazy(() => import('../diagram/diagram.tsx').catch(() => ({ default: code })))

const code = ({ source }: { source: string }) => createElement(CodeBlock, { code: source, language: 'mermaid', isOpen: false })

/** A closed fence. */
const CLOSED = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*\n)? {0,3}\1[`~]* *\n*$/

/** Adds diagrams to a tokenizer: closed fences of the language `mermaid`. */
export function addDiagrams(tokenizer: Tokenizer): void {
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
