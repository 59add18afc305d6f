import { MAX_QUOTE_CHARACTERS, type SourcePart } from '../../../../../contract/chat/citation.ts'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'

/** For a source without a citation, the passage or page excerpt that a tool of the same answer returned. */
export function excerptOf(source: SourcePart, parts: readonly ChatMessagePart[]): string | undefined {
  for (const found of parts.flatMap(hitsOf)) {
    const text = found['text'] ?? found['excerpt']
    if (isAt(found, source) && typeof text === 'string' && text.trim() !== '')
      return text.trim().slice(0, MAX_QUOTE_CHARACTERS).toWellFormed()
  }
  return undefined
}

function isAt(found: Record<string, unknown>, source: SourcePart): boolean {
  if (source.type === 'source-url') return found['url'] === source.url
  const { file, number } = found
  // One file may have several passages, distinguished by their number.
  return source.filename !== undefined && file === source.filename && (number === undefined || number === Number(source.sourceId))
}

/** The search hits in a tool's result, which may have any shape. */
function hitsOf(part: ChatMessagePart): Record<string, unknown>[] {
  if (!('toolCallId' in part) || part.state !== 'output-available' || !isObject(part.output)) return []
  const { passages, content } = part.output
  return [passages, content].flat().filter(isObject)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
