import { escapeMarkdown } from '../../../../../contract/chat/citation.ts'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { t } from '../../../../../ui/language/translate.ts'
import { shownSources, type SourceDetails } from './source-details.ts'

/** The cited sources as Markdown to append to the answer; empty if none. */
export function copiedSources(parts: readonly ChatMessagePart[]): string {
  const { cited } = shownSources(parts)
  const lines = cited.map((source) => {
    const { number, href } = source
    return `- [${number}] ${[...describe(source).map(escapeMarkdown), ...(href ? [`<${href}>`] : [])].join(', ')}`
  })
  return lines.length > 0 ? `\n\n${t('Sources')}:\n\n${lines.join('\n')}\n` : ''
}

function describe({ label, sections, asOf, origin, href }: SourceDetails): string[] {
  const day = asOf === null ? '' : t('As of {day}', { day: t.time(asOf, { dateStyle: 'medium', timeZone: 'UTC' }) })
  return [[label || t('Source'), sections].filter((text) => text !== '').join(' › '), href === null ? origin : '', day].filter(
    (text) => text !== '',
  )
}
