import { type ReactNode, useEffect, useState } from 'react'
import { useTranslate } from '../language/translate.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { languageNamed } from './code-languages.ts'
import type { CodeLine } from './highlight.ts'

/** Longer code is folded to this many lines, so it doesn't shift the content below while it grows. */
const FOLDED_LINES = 30
/** Longer code is not highlighted, because colours appearing seconds later distract. */
const MAX_COLOURED_CHARACTERS = 20_000

export interface CodeProps {
  code: string
  /** Info string of the fence; may be empty. */
  language: string
  /** Whether it is still streaming. */
  isOpen: boolean
}

/** A code block with language name and copy button, highlighted once it is complete. */
export function CodeBlock({ code, language, isOpen }: CodeProps): ReactNode {
  const t = useTranslate()
  const name = language.trim().split(/\s/)[0] ?? ''
  const coloured = useHighlighted(code, name, isOpen)
  const [isUnfolded, setIsUnfolded] = useState(false)
  const written = code.split('\n')
  const isLong = written.length > FOLDED_LINES
  const end = isLong && !isUnfolded ? FOLDED_LINES : written.length
  const part = (from: number, to: number): ReactNode =>
    // oxlint-disable-next-line react/no-array-index-key -- lines never change
    coloured ? coloured.slice(from, to).map((line, index) => <Line key={from + index} line={line} />) : written.slice(from, to).join('\n')
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
          {/* There to be printed, and not laid out: that takes its time for a hundred thousand lines. */}
          {end < written.length && (
            <span hidden>
              {coloured ? '' : '\n'}
              {part(end, written.length)}
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

/** The highlighted lines of complete code; `null` until there are some, and for unknown languages. */
function useHighlighted(code: string, name: string, isOpen: boolean): readonly CodeLine[] | null {
  const [highlighted, setHighlighted] = useState<{ code: string; lines: readonly CodeLine[] | null } | null>(null)
  const language = isOpen || code.length > MAX_COLOURED_CHARACTERS ? undefined : languageNamed(name)
  useEffect(() => {
    if (!language) return
    let isCurrent = true
    import('./highlight.ts')
      .then(({ highlight }) => highlight({ code, language }))
      .then((lines) => isCurrent && setHighlighted({ code, lines }))
      .catch(console.error)
    return () => {
      isCurrent = false
    }
  }, [code, language])
  return highlighted?.code === code ? highlighted.lines : null
}

function Line({ line }: { line: CodeLine }): ReactNode {
  return (
    <span>
      {line.map(({ text, color }, key) => (
        // oxlint-disable-next-line react/no-array-index-key -- tokens are immutable
        <span key={key} style={{ color }}>
          {text}
        </span>
      ))}
      {'\n'}
    </span>
  )
}
