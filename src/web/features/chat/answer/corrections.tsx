import type { ReactNode } from 'react'
import type { Correction } from '../../../../contract/chat/message.ts'
import { t } from '../../../../ui/language/translate.ts'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'
import './corrections.css'

export default function Corrections({ corrections }: { corrections: readonly Correction[] }): ReactNode {
  return corrections.map(({ text, at }) => {
    const label = t('Correction by the operator’s staff, {day}', { day: t.time(at, { dateStyle: 'long' }) })
    return (
      <section key={at + text} className="correction" aria-label={label}>
        <strong>{label}</strong>
        <Markdown text={text} />
      </section>
    )
  })
}
