import { useEffect, useId, useRef, useState } from 'react'
import { languageNamed } from './code-languages.ts'
import type { CodeLine } from './highlight.ts'

/** Longer code is not highlighted, because colours appearing seconds later distract. */
const MAX_CHARACTERS = 20_000
/** Pause between two requests for code that is being written. */
const PAUSE_MS = 100

export interface Highlighted {
  /** The start of the code that the lines show. */
  code: string
  lines: CodeLine[]
}

interface Wanted {
  code: string
  isOpen: boolean
}

/**
 * The highlighted lines of the code, or of its start while it is being written; null until there are some, and for unknown languages.
 * Lines that don't change stay the same objects.
 */
export function useHighlighted(code: string, language: string, isOpen: boolean): Highlighted | null {
  const block = useId()
  const [highlighted, setHighlighted] = useState<Highlighted | null>(null)
  const latest = useRef<Highlighted | null>(null)
  const wanted = useRef<Wanted | null>(null)
  const isBusy = useRef(false)
  const hasFailed = useRef(false)
  const known = languageNamed(language)
  useEffect(() => {
    if (!known || code.length > MAX_CHARACTERS) return
    // Only whole lines: the end of the last one may still change its colours.
    wanted.current = { code: isOpen ? code.slice(0, code.lastIndexOf('\n') + 1) : code, isOpen }
    if (isBusy.current || wanted.current.code === '') return
    isBusy.current = true
    const work = async () => {
      try {
        const { highlight } = await import('./highlight.ts')
        // One request at a time, so that what is written meanwhile is one request, too.
        for (let next = wanted.current; next?.code && next.code !== latest.current?.code; next = wanted.current) {
          // What failed may be hostile: it is tried once more when it is complete.
          if (next.isOpen && hasFailed.current) return
          const reply = await highlight({ code: next.code, language: known, block })
          if (!wanted.current) return
          if (reply) {
            latest.current = { code: next.code, lines: [...(latest.current?.lines.slice(0, reply.from) ?? []), ...reply.lines] }
            setHighlighted(latest.current)
          } else if (next.isOpen) hasFailed.current = true
          else return
          if (next.isOpen) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        }
      } finally {
        isBusy.current = false
      }
    }
    work().catch(console.error)
  }, [code, known, isOpen, block])
  useEffect(
    () => () => {
      wanted.current = null
    },
    [],
  )
  return highlighted && code.length <= MAX_CHARACTERS && code.startsWith(highlighted.code) ? highlighted : null
}
