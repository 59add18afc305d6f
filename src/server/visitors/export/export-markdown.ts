import { setImmediate as nextPass } from 'node:timers/promises'
import { citationOf, escapeMarkdown, shownFile, usesSource, sourceNumber, webAddress } from '../../../contract/chat/citation.ts'
import type { ExportedMessage } from '../../../contract/chat/export.ts'
import { type ExportedPart, markdownOfPart } from '../../../contract/chat/parts/stored-parts.ts'
import { singleLine } from '../../../contract/chat/parts/stored-part.ts'
import type { Database } from '../../store/engine/database.ts'
import { type ExportedSession, messagesOfBranch } from '../../store/sessions/export.ts'
import { exportedMessage } from './export-document.ts'

const ENDS: Record<string, string> = {
  stopped: 'This answer was stopped.',
  failed: 'This answer failed.',
  interrupted: 'This answer was interrupted.',
}

/** Yields the current branch of a chat as readable Markdown, one message at a time. Texts are not escaped. */
export async function* exportMarkdown(database: Database, session: ExportedSession): AsyncGenerator<string> {
  yield `# ${singleLine(session.title) || 'Chat'}\n\nStarted ${readableTime(session.created_at)}, last used ${readableTime(session.updated_at)}. An AI gave the answers.\n`
  for await (const { message } of messagesOfBranch(database, session.id)) {
    yield messageMarkdown(exportedMessage(message))
    await nextPass()
  }
}

function messageMarkdown({ role, createdAt, model, status, parts, corrections = [] }: ExportedMessage): string {
  const who = role === 'user' ? 'You' : `Assistant${model ? ` (${singleLine(model)})` : ''}`
  const blocks = [`## ${who}, ${readableTime(Date.parse(createdAt))}`, ...parts.flatMap(markdownOfPart), ...sourcesMarkdown(parts)]
  const end = status && ENDS[status]
  if (end) blocks.push(`*${end}*`)
  const label = role === 'user' ? 'Reply by staff' : 'Correction by staff'
  for (const { text, at } of corrections) blocks.push(`**${label}, ${at.slice(0, 10)}:** ${text}`)
  return `\n${blocks.join('\n\n')}\n`
}

type ExportedSource = Extract<ExportedPart, { sourceId: string }>

/** The sources that an answer is based on, then the other search results. */
function sourcesMarkdown(parts: ExportedPart[]): string[] {
  const sources = parts.filter((part) => part.type === 'source-url' || part.type === 'source-document')
  const isUsed = usesSource(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''), sources)
  return [
    ...sourceList('Sources', sources.filter(isUsed)),
    ...sourceList(
      'Also searched',
      sources.filter((source) => !isUsed(source)),
    ),
  ]
}

function sourceList(heading: string, sources: ExportedSource[]): string[] {
  return sources.length > 0 ? [`${heading}:`, sources.map(sourceMarkdown).join('\n')] : []
}

function sourceMarkdown(source: ExportedSource): string {
  const number = sourceNumber(source)
  const citation = citationOf(source)
  const address = source.type === 'source-url' ? webAddress(source.url) : citation?.address
  const breadcrumb = citation?.breadcrumb ?? ''
  const facts = [
    escapeMarkdown(source.title || address || 'Source'),
    breadcrumb === source.title ? '' : escapeMarkdown(breadcrumb),
    citation?.asOf ? `as of ${citation.asOf}` : '',
    address ? `<${address}>` : source.type === 'source-document' ? escapeMarkdown(shownFile(source.filename)) : '',
  ]
  return `- ${number === undefined ? '' : `[${number}] `}${facts.filter((fact) => fact !== '').join(', ')}`
}

function readableTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
