import type { ReactNode } from 'react'
import type { ChatMessagePart } from '../../../../../contract/message.ts'
import { useTranslate } from '../../../../language/translate.ts'
import { type SourceDetails, sourceDetails } from './source-details.ts'
import { SourcePopover } from './source-popover.tsx'

interface CitationMarkProps {
  number: number
  /** The parts of the answer, with its sources. */
  parts: readonly ChatMessagePart[]
}

/** The number of a source within an answer. Hover, focus or a tap shows the source. */
export default function CitationMark({ number, parts }: CitationMarkProps): ReactNode {
  const t = useTranslate()
  const source = detailsIn(parts).get(number)
  if (!source) return number
  const name = source.label === '' ? t('Source {number}', { number }) : t('Source {number}: {title}', { number, title: source.label })
  return (
    <SourcePopover source={source} className="citation" label={name} hasPreview>
      {number}
    </SourcePopover>
  )
}

const known = new WeakMap<readonly ChatMessagePart[], Map<number, SourceDetails>>()

/** The sources of an answer by their numbers, worked out once for all its marks. */
function detailsIn(parts: readonly ChatMessagePart[]): Map<number, SourceDetails> {
  const details = known.get(parts) ?? new Map(sourceDetails(parts).map((source) => [source.number, source]))
  known.set(parts, details)
  return details
}
