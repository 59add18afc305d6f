import type { ReactNode } from 'react'
import { diffLines } from './line-diff.ts'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

export function TextDiff({ before, after }: { before: string; after: string }): ReactNode {
  return (
    <pre className="diff" dir="auto">
      {diffLines(before, after).map(({ kind, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Lines have no other identity.
        <span key={index} className={kind}>
          {SIGNS[kind]} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
