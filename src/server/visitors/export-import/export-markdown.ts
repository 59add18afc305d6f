import { setImmediate as nextPass } from 'node:timers/promises'
import { citationOf, markdownLine, restsOn, sourceNumber, webAddress } from '../../../contract/citation.ts'
import type { ExportedMessage, ExportedPart } from '../../../contract/export.ts'
import type { Database } from '../../store/database.ts'
import { type ExportedSession, messagesOfBranch } from '../../store/export.ts'
import { exportedMessage } from './export-document.ts'

const ENDS: Record<string, string> = {
  stopped: 'This answer was stopped.',
  failed: 'This answer failed.',
  interrupted: 'This answer was interrupted.',
}

/** Yields a chat as a document for people, its current branch, one message at a time. What was said stands as it was written. */
export async function* exportMarkdown(database: Database, session: ExportedSession): AsyncGenerator<string> {
  yield `# ${inline(session.title) || 'Chat'}\n\nStarted ${readableTime(session.created_at)}, last used ${readableTime(session.updated_at)}.\n`
  for await (const { message } of messagesOfBranch(database, session.id)) {
    yield messageMarkdown(exportedMessage(message))
    await nextPass()
  }
}

function messageMarkdown({ role, createdAt, model, status, parts }: ExportedMessage): string {
  const who = role === 'user' ? 'You' : `Assistant${model ? ` (${inline(model)})` : ''}`
  const blocks = [`## ${who}, ${readableTime(Date.parse(createdAt))}`, ...parts.flatMap(partMarkdown), ...sourcesMarkdown(parts)]
  const end = status && ENDS[status]
  if (end) blocks.push(`*${end}*`)
  return `\n${blocks.join('\n\n')}\n`
}

function partMarkdown(part: ExportedPart): string[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [part.text]
    case 'reasoning':
      return part.text === '' ? [] : [quote(`Thinking: ${part.text}`)]
    case 'file':
      return [`- File: ${inline(part.filename ?? part.mediaType)}`]
    case 'source-url':
    case 'source-document':
    case 'step-start':
    case 'custom':
      return []
    default:
      return [toolMarkdown(part)]
  }
}

type ExportedSource = Extract<ExportedPart, { sourceId: string }>

/** The sources that an answer cites or was taken from, by the numbers in its text, and then what else was found. */
function sourcesMarkdown(parts: ExportedPart[]): string[] {
  const sources = parts.filter((part) => part.type === 'source-url' || part.type === 'source-document')
  const isUsed = restsOn(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''), sources)
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
  const facts = [
    markdownLine(source.title || address || 'Source'),
    markdownLine(citation?.breadcrumb ?? ''),
    citation?.asOf ? `as of ${citation.asOf}` : '',
    address ? `<${address}>` : source.type === 'source-document' ? markdownLine(source.filename ?? '') : '',
  ]
  return `- ${number === undefined ? '' : `[${number}] `}${facts.filter((fact) => fact !== '').join(', ')}`
}

function toolMarkdown(part: Extract<ExportedPart, { toolCallId: string }>): string {
  const name = 'toolName' in part ? part.toolName : part.type.slice('tool-'.length)
  const result = part.state === 'output-error' ? `failed: ${part.errorText ?? ''}` : JSON.stringify(part.output ?? null)
  return quote(`Tool ${inline(name)}: ${JSON.stringify(part.input ?? null)} → ${result}`)
}

function quote(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`)
    .join('\n')
}

/** For a place that ends with its line. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function readableTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
