import { z } from 'zod'
import type { ChatChunk, ChatMessagePart } from '../message.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import { storedFile } from './file-stored.ts'
import { kindOf, type PartKind, type PartTypes } from './part-kinds.ts'
import { storedReasoning } from './reasoning-stored.ts'
import { storedSourceDocument } from './source-document-stored.ts'
import { storedSourceUrl } from './source-url-stored.ts'
import { storedStepStart } from './step-start-stored.ts'
import { storedText } from './text-stored.ts'
import { storedTool } from './tool-stored.ts'
import { storedTopics } from './topics-stored.ts'

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

/** The part in an export; null if its kind is unknown or its content exceeds the limits of an import. */
export function exportPart(part: ChatMessagePart): ExportedPart | null {
  const definition = definitionOf(part)
  const { data } = definition?.schema.safeParse(definition.toExport?.(part) ?? part) ?? {}
  return (data as ExportedPart | undefined) ?? null
}

/** The part that an import stores. */
export function importPart(exported: ExportedPart): object {
  return definitionOf(exported)?.fromExport?.(exported) ?? exported
}

/** The Markdown blocks of a part in the readable export. */
export function markdownOfPart(exported: ExportedPart): string[] {
  return definitionOf(exported)?.toMarkdown(exported) ?? []
}

/** Converts a part for anybody with a link to the chat; null hides it. */
export function sharePart(part: ChatMessagePart): ChatMessagePart | null {
  return definitionOf(part)?.toShared(part) ?? null
}

function definitionOf(part: ChatMessagePart | ExportedPart): StoredPartDefinition<ChatMessagePart> | undefined {
  const kind = kindOf(part)
  return kind && STORED_PARTS[kind]
}
