import type { ReactNode } from 'react'
import type { Correction } from '../../../../contract/message.ts'
import { useTranslate } from '../../../language/translate.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'

adoptStyles(`
.correction { margin-block: 0.75rem; padding: 0.75rem 1rem; border-inline-start: 3px solid var(--accent); background: var(--tint); }
.correction > strong { display: block; margin-block-end: 0.25rem; }
`)

/** What staff have corrected at an answer. */
export default function Corrections({ corrections }: { corrections: readonly Correction[] }): ReactNode {
  const t = useTranslate()
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
