import type { MouseEvent, ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import './footnotes.css'

/** A footnote reference in the text, linked to the note. */
export function FootnoteMark({ label }: { label: string }): ReactNode {
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
export function Footnote({ label, children }: { label: string; children?: ReactNode }): ReactNode {
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
