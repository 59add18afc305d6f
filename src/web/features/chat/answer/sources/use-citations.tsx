import { type ReactNode, useRef } from 'react'
import { type SourcePart, sourceNumber, sourcesOf, splitCitations } from '../../../../../contract/chat/citation.ts'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { lazyPart } from '../../../../../ui/lazy-part.ts'
import type { Cite } from '../../../../../ui/markdown/citations.ts'
import { drawCitations } from '../../../../../ui/markdown/draw-citations.tsx'

// Offline the number is shown without its card.
const CitationMark = lazyPart(() => import('./citation-mark.tsx'), PlainMark, PlainMark)

/** The sources that an answer can cite, for `CitationContext`; the same object until they change. `null` without sources. */
export function useCitations(parts: readonly ChatMessagePart[]): Cite | null {
  const last = useRef<{ sources: SourcePart[]; cite: Cite | null }>({ sources: [], cite: null })
  const sources = sourcesOf(parts)
  const { current } = last
  const isSame = sources.length === current.sources.length && sources.every((source, index) => source === current.sources[index])
  if (!isSame) last.current = { sources, cite: citing(sources, parts) }
  return last.current.cite
}

function citing(sources: SourcePart[], parts: readonly ChatMessagePart[]): Cite | null {
  const numbers = new Set(sources.map(sourceNumber).filter((number) => number !== undefined))
  if (numbers.size === 0) return null
  const mark = (number: number): ReactNode | undefined => (numbers.has(number) ? <CitationMark number={number} parts={parts} /> : undefined)
  return drawCitations({ split: splitCitations, mark })
}

/** As large as the mark that replaces it. */
function PlainMark({ number }: { number: number }): ReactNode {
  return <span className="citation">{number}</span>
}
