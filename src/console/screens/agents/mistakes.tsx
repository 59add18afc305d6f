import type { ReactNode } from 'react'
import type { AgentMistake } from '../../../contract/staff/content/agents.ts'
import { t } from '../../../ui/language/translate.ts'

/** Mistakes of a text, by line. */
export function Mistakes({ mistakes }: { mistakes: readonly AgentMistake[] }): ReactNode {
  if (mistakes.length === 0) return null
  return (
    <ul className="problems">
      {mistakes.map(({ line, message }) => (
        <li key={`${line} ${message}`}>{t.with('Line {number}: {message}', { number: t.number(line), message: <bdi>{message}</bdi> })}</li>
      ))}
    </ul>
  )
}
