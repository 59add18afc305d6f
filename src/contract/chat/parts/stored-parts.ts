import { citationMetadata, citationOf } from '../citation.ts'
import type { ChatChunk, ChatMessagePart } from '../message.ts'
import { kindOf, type PartKind, type PartTypes } from './part-kinds.ts'
import { blockQuote, singleLine, type StoredPartDefinition } from './stored-part.ts'
import { storedTool } from './tool-stored.ts'
import { topicsChunk } from './topics.ts'

const storedText: StoredPartDefinition<PartTypes['text']> = {
  toChunks: ({ text, providerMetadata }, id) => [
    { type: 'text-start', id, ...(providerMetadata && { providerMetadata }) },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ],
  exported: ['type', 'text'],
  toMarkdown: ({ text }) => (text === '' ? [] : [text]),
}

const storedReasoning: StoredPartDefinition<PartTypes['reasoning']> = {
  toChunks: ({ id: ownId, text, providerMetadata }, index) => {
    const id = ownId ?? index
    return [
      { type: 'reasoning-start', id, ...(providerMetadata && { providerMetadata }) },
      { type: 'reasoning-delta', id, delta: text },
      { type: 'reasoning-end', id },
    ]
  },
  exported: ['type', 'id', 'text'],
  toMarkdown: ({ text }) => (text === '' ? [] : [blockQuote(`Thinking: ${text}`)]),
}

const storedStepStart: StoredPartDefinition<PartTypes['step-start']> = {
  toChunks: () => [{ type: 'start-step' }],
  exported: ['type'],
  toMarkdown: () => [],
}

const storedFile: StoredPartDefinition<PartTypes['file']> = {
  toChunks: (part) => [part],
  // The address ends with the id that begins the file's name in `files/`.
  exported: ['type', 'mediaType', 'filename', 'url'],
  toMarkdown: ({ filename, mediaType }) => [`- File: ${singleLine(filename ?? mediaType)}`],
}

const storedSourceUrl: StoredPartDefinition<PartTypes['source-url']> = {
  toChunks: (part) => [part],
  exported: ['type', 'sourceId', 'url', 'title'],
  // Listed below the message.
  toMarkdown: () => [],
}

const storedSourceDocument: StoredPartDefinition<PartTypes['source-document']> = {
  toChunks: (part) => [part],
  exported: ['type', 'sourceId', 'mediaType', 'title', 'filename', 'providerMetadata'],
  toExport: (part) => {
    const citation = citationOf(part)
    return { ...part, providerMetadata: citation && citationMetadata(citation) } as typeof part
  },
  // Listed below the message.
  toMarkdown: () => [],
}

const storedTopics: StoredPartDefinition<PartTypes['data-topics']> = {
  toChunks: ({ data }) => [topicsChunk(data.topics)],
  exported: ['type', 'data'],
  toMarkdown: () => [],
}

export const STORED_PARTS = {
  text: storedText,
  reasoning: storedReasoning,
  'step-start': storedStepStart,
  file: storedFile,
  'source-url': storedSourceUrl,
  'source-document': storedSourceDocument,
  tool: storedTool,
  'data-topics': storedTopics,
} satisfies { [Kind in PartKind]: StoredPartDefinition<PartTypes[Kind]> }

/** A part of a message in an export: the AI SDK's part without the provider's own metadata. */
export type ExportedPart = ChatMessagePart

/** The chunks that build a part again. `index` is unique within the message. */
export function chunksOfPart(part: ChatMessagePart, index: string): ChatChunk[] {
  return definitionOf(part)?.toChunks(part, index) ?? []
}

/** The part in an export; null if its kind is unknown, or it is an unfinished call of a tool. */
export function exportPart(part: ChatMessagePart): ExportedPart | null {
  const definition = definitionOf(part)
  const prepared = definition?.toExport ? definition.toExport(part) : part
  if (!definition || !prepared) return null
  const { exported } = definition
  return Object.fromEntries(Object.entries(prepared).filter(([name]) => exported.includes(name))) as ExportedPart
}

export function markdownOfPart(exported: ExportedPart): string[] {
  return definitionOf(exported)?.toMarkdown(exported) ?? []
}

function definitionOf(part: ChatMessagePart): StoredPartDefinition<ChatMessagePart> | undefined {
  const kind = kindOf(part)
  return kind && STORED_PARTS[kind]
}
