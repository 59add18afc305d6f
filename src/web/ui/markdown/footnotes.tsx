import type { MouseEvent, ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { adoptStyles } from '../adopt-styles.ts'
import styles from './footnotes.css?inline'

// Where there is no page, there is nothing to style.
if (typeof document !== 'undefined') adoptStyles(styles)

/** The number of a footnote within the text; leads to the note. */
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

/** A footnote; its number leads back to the text. */
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

/** To the first of a kind with the same label, in the same text. The address is the chat's, so that no link can do it. */
const goTo = (kind: 'mark' | 'note', label: string) => (event: MouseEvent<HTMLElement>) => {
  const all = event.currentTarget.closest('.prose')?.querySelectorAll<HTMLElement>(`[data-${kind}]`) ?? []
  const other = [...all].find(({ dataset }) => dataset[kind] === label)
  other?.scrollIntoView({ block: 'center' })
  other?.focus({ preventScroll: true })
}
