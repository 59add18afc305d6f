import { type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { languageNamed } from './code-languages.ts'
import type { CodeLine } from './highlight.ts'

/** Longer code is not highlighted, because colours appearing seconds later distract. */
const MOST_HIGHLIGHTED_CHARACTERS = 20_000

/** Longer code is folded to this many lines, so it doesn't shift the content below while it grows. */
const FOLDED_LINES = 30

export interface CodeProps {
  code: string
  /** Info string of the fence; may be empty. */
  language: string
  /** Whether it is still streaming. */
  isOpen: boolean
}

/** A code block with language name and copy button, highlighted once complete. */
export function CodeBlock({ code, language, isOpen }: CodeProps): ReactNode {
  const t = useTranslate()
  const name = language.trim().split(/\s/)[0] ?? ''
  const lines = useHighlighted(code, name, isOpen)
  const [isUnfolded, setIsUnfolded] = useState(false)
  const written = code.split('\n')
  const isLong = written.length > FOLDED_LINES
  const end = isLong && !isUnfolded ? FOLDED_LINES : written.length
  const part = (from: number, to?: number): ReactNode =>
    lines ? lines.slice(from, to).map(renderLine) : written.slice(from, to).join('\n')
  return (
    <figure className="code" dir="ltr">
      <figcaption>
        <span>{name || t('text')}</span>
        <CopyButton text={() => code} label={t('Copy code')} />
      </figcaption>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>
          {part(0, end)}
          {/* There for what copies the answer, and not laid out: that takes its time for a hundred thousand lines. */}
          {end < written.length && (
            <span hidden>
              {lines ? '' : '\n'}
              {part(end)}
            </span>
          )}
        </code>
      </pre>
      {isLong && (
        <Button className="small" aria-expanded={isUnfolded} onClick={() => setIsUnfolded(!isUnfolded)}>
          {isUnfolded
            ? t.plural(FOLDED_LINES, 'Show {count} line', 'Show {count} lines')
            : t.plural(written.length, 'Show {count} line', 'Show all {count} lines')}
        </Button>
      )}
    </figure>
  )
}

const renderLine = (line: CodeLine, index: number): ReactNode => (
  <span key={index}>
    {line.map(({ text, color }, key) => (
      <span key={key} style={{ color }}>
        {text}
      </span>
    ))}
    {'\n'}
  </span>
)

/** The highlighted lines; null until ready, and for unknown languages. */
function useHighlighted(code: string, language: string, isOpen: boolean): CodeLine[] | null {
  const [highlighted, setHighlighted] = useState<{ code: string; lines: CodeLine[] | null }>()
  useEffect(() => {
    const known = languageNamed(language)
    if (isOpen || !known || code.length > MOST_HIGHLIGHTED_CHARACTERS) return
    let wanted = true
    import('./highlight.ts')
      .then(({ highlight }) => highlight({ code, language: known }))
      .then((lines) => wanted && setHighlighted({ code, lines }))
      .catch(console.error)
    return () => {
      wanted = false
    }
  }, [code, language, isOpen])
  return highlighted?.code === code ? highlighted.lines : null
}
