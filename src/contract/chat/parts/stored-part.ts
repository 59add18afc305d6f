import type { ChatChunk, ChatMessagePart } from '../message.ts'

/** How the server replays and exports a kind of part. In files of their own, so that the page loads none of it. */
export interface StoredPartDefinition<Part extends ChatMessagePart> {
  /** The chunks from which the kind's reducers build the part again. `index` is unique within the message. */
  toChunks(part: Part, index: string): ChatChunk[]
  /** Names of the fields that stand in an export. */
  exported: readonly string[]
  /** Prepares the part for an export; null leaves it out. */
  toExport?(part: Part): Part | null
  /** Markdown blocks in the readable export. */
  toMarkdown(exported: Part): string[]
}

/** The text as a Markdown quote, line by line. */
export function blockQuote(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`)
    .join('\n')
}

export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
