import { setImmediate as nextPass } from 'node:timers/promises'
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
  const blocks = [`## ${who}, ${readableTime(Date.parse(createdAt))}`, ...parts.flatMap(partMarkdown)]
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
    case 'source-url':
      return [`- Source: ${inline(part.title ?? part.url)} <${part.url}>`]
    case 'source-document':
      return [`- Source: ${inline(part.title)}`]
    case 'file':
      return [`- File: ${inline(part.filename ?? part.mediaType)}`]
    case 'step-start':
    case 'custom':
      return []
    default:
      return [toolMarkdown(part)]
  }
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
