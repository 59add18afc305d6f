import type { ChatMessagePart } from '../../../contract/message.ts'

export type SourcePart = Extract<ChatMessagePart, { sourceId: string }>

const MOST_CHARACTERS = 600

export const sourcesIn = (parts: ChatMessagePart[]): SourcePart[] =>
  parts.filter((part) => part.type === 'source-url' || part.type === 'source-document')

/** What a tool of the same answer found at a source: a passage of the file or an excerpt of the page, if any did. */
export function excerptOf(source: SourcePart, parts: ChatMessagePart[]): string | undefined {
  for (const found of findingsAt(source, parts)) {
    const text = found['text'] ?? found['excerpt']
    if (typeof text === 'string' && text.trim() !== '') return shortened(text.trim())
  }
  return undefined
}

/** How well a source fits what was searched for, from 0 to 1; 0 where no tool says. */
export function relevanceOf(source: SourcePart, parts: ChatMessagePart[]): number {
  const relevance = findingsAt(source, parts)[0]?.['relevance']
  return typeof relevance === 'number' ? relevance : 0
}

function findingsAt(source: SourcePart, parts: ChatMessagePart[]): Record<string, unknown>[] {
  return parts
    .flatMap(findingsOf)
    .filter((found) => (source.type === 'source-url' ? found['url'] === source.url : isPassage(found, source)))
}

/** Whether a finding is what a source stands for: of one file there may be several, told apart by the number that each was given. */
function isPassage({ file, number }: Record<string, unknown>, { filename, sourceId }: Extract<SourcePart, { filename?: string }>): boolean {
  return filename !== undefined && file === filename && (number === undefined || number === Number(sourceId))
}

/** The entries of what a tool returned; nothing that a tool says is trusted to have a form. */
function findingsOf(part: ChatMessagePart): Record<string, unknown>[] {
  if (!('toolCallId' in part) || part.state !== 'output-available' || !isObject(part.output)) return []
  const { passages, content } = part.output
  return [passages, content].flat().filter(isObject)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const shortened = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…` : text)
