import type { ReactNode } from 'react'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { useTranslate } from '../../../../../ui/language/translate.ts'
import { sourceDetails } from './source-details.ts'
import { SourcePopover } from './source-popover.tsx'

/** The number of a source within an answer. Pressing it shows the source. */
export default function CitationMark({ number, parts }: { number: number; parts: readonly ChatMessagePart[] }): ReactNode {
  const t = useTranslate()
  const source = sourceDetails(parts).find((other) => other.number === number)
  if (!source) return number
  const name = source.label === '' ? t('Source {number}', { number }) : t('Source {number}: {title}', { number, title: source.label })
  return (
    <SourcePopover source={source} className="citation" label={name}>
      {number}
    </SourcePopover>
  )
}
