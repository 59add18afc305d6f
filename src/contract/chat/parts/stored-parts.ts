import { z } from 'zod'
import { boundedCitation, MAX_BREADCRUMB_CHARACTERS, MAX_QUOTE_CHARACTERS } from '../citation.ts'
import type { ChatChunk, ChatMessagePart } from '../message.ts'
import { kindOf, type PartKind, type PartTypes } from './part-kinds.ts'
import { blockQuote, MessageText, ShortText, singleLine, type StoredPartDefinition, textUpTo } from './stored-part.ts'
import { storedTool } from './tool-stored.ts'
import { topicsChunk, TOPICS_TYPE } from './topics.ts'

const Text = z.object({ type: z.literal('text'), text: MessageText })
const storedText: StoredPartDefinition<PartTypes['text'], typeof Text> = {
  toChunks: ({ text, providerMetadata }, id) => [
    { type: 'text-start', id, ...(providerMetadata && { providerMetadata }) },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ],
  schema: Text,
  toMarkdown: ({ text }) => (text === '' ? [] : [text]),
}

const Reasoning = z.object({ type: z.literal('reasoning'), id: ShortText.optional(), text: MessageText })
const storedReasoning: StoredPartDefinition<PartTypes['reasoning'], typeof Reasoning> = {
  toChunks: ({ id: ownId, text, providerMetadata }, index) => {
    const id = ownId ?? index
    return [
      { type: 'reasoning-start', id, ...(providerMetadata && { providerMetadata }) },
      { type: 'reasoning-delta', id, delta: text },
      { type: 'reasoning-end', id },
    ]
  },
  schema: Reasoning,
  toMarkdown: ({ text }) => (text === '' ? [] : [blockQuote(`Thinking: ${text}`)]),
}

const StepStart = z.object({ type: z.literal('step-start') })
const storedStepStart: StoredPartDefinition<PartTypes['step-start'], typeof StepStart> = {
  toChunks: () => [{ type: 'start-step' }],
  schema: StepStart,
  toMarkdown: () => [],
}

const File = z.object({
  type: z.literal('file'),
  mediaType: ShortText,
  filename: textUpTo(200).optional(),
  url: z.string().max(200).optional().describe('Ends with the id that begins the file’s name in `files/`.'),
})
const storedFile: StoredPartDefinition<PartTypes['file'], typeof File> = {
  toChunks: (part) => [part],
  schema: File,
  toMarkdown: ({ filename, mediaType }) => [`- File: ${singleLine(filename ?? mediaType)}`],
}

const SourceUrl = z.object({
  type: z.literal('source-url'),
  sourceId: ShortText,
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  title: textUpTo(500).optional(),
})
const storedSourceUrl: StoredPartDefinition<PartTypes['source-url'], typeof SourceUrl> = {
  toChunks: (part) => [part],
  schema: SourceUrl,
  // Listed below the message.
  toMarkdown: () => [],
}

/** Longer text is cut, and an address that is not http or https becomes null. */
export const CitationMetadata = z.object({
  parley: z
    .object({
      breadcrumb: z.string().describe(`\`Title › Section\`; cut after ${MAX_BREADCRUMB_CHARACTERS} characters.`),
      quote: z.string().describe(`The passage, Markdown; cut after ${MAX_QUOTE_CHARACTERS} characters.`),
      asOf: z.string().nullable().describe('ISO date of the content.'),
      address: z.string().nullable().describe('The page, http or https.'),
      place: z.string().optional().describe('Where in the file, for example “page 3”.'),
    })
    .transform(boundedCitation),
})
const SourceDocument = z.object({
  type: z.literal('source-document'),
  sourceId: ShortText,
  mediaType: ShortText,
  title: textUpTo(500),
  filename: textUpTo(500).optional(),
  providerMetadata: CitationMetadata.optional().catch(undefined),
})
const storedSourceDocument: StoredPartDefinition<PartTypes['source-document'], typeof SourceDocument> = {
  toChunks: (part) => [part],
  schema: SourceDocument,
  // Listed below the message.
  toMarkdown: () => [],
}

const Topics = z.object({ type: z.literal(TOPICS_TYPE), data: z.object({ topics: z.array(textUpTo(500)).max(50) }) })
const storedTopics: StoredPartDefinition<PartTypes['data-topics'], typeof Topics> = {
  toChunks: ({ data }) => [topicsChunk(data.topics)],
  schema: Topics,
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
export const ExportedPart = z.union(Object.values(STORED_PARTS).map(({ schema }) => schema))
export type ExportedPart = z.infer<typeof ExportedPart>

/** The chunks that build a part again. `index` is unique within the message. */
export function chunksOfPart(part: ChatMessagePart, index: string): ChatChunk[] {
  return definitionOf(part)?.toChunks(part, index) ?? []
}

/** The part in an export; null if its kind is unknown or its content is too large. */
export function exportPart(part: ChatMessagePart): ExportedPart | null {
  const definition = definitionOf(part)
  const { data } = definition?.schema.safeParse(definition.toExport?.(part) ?? part) ?? {}
  return (data as ExportedPart | undefined) ?? null
}

export function markdownOfPart(exported: ExportedPart): string[] {
  return definitionOf(exported)?.toMarkdown(exported) ?? []
}

function definitionOf(part: ChatMessagePart | ExportedPart): StoredPartDefinition<ChatMessagePart> | undefined {
  const kind = kindOf(part)
  return kind && STORED_PARTS[kind]
}
