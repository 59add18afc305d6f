import { z } from 'zod'
import type { ChatChunk, ChatMessagePart } from '../message.ts'
import { MAX_ANSWER_CHARACTERS, MAX_PROMPT_CHARACTERS } from '../../size-limits.ts'

/** How the server replays and exports a kind of part. In files of their own, so that the page loads none of it. */
export interface StoredPartDefinition<Part extends ChatMessagePart, Schema extends z.ZodType = z.ZodType> {
  /** The chunks from which the kind's reducers build the part again. `index` is unique within the message. */
  toChunks(part: Part, index: string): ChatChunk[]
  /** The part in an export. Other keys are dropped. */
  schema: Schema
  /** Converts to the input of `schema`; the part itself by default. */
  toExport?(part: Part): object
  /** Markdown blocks in the readable export. */
  toMarkdown(exported: z.infer<Schema>): string[]
}

/** Text without NUL and lone surrogates. */
export const textUpTo = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .transform((value) => value.replaceAll('\0', '').toWellFormed())

/** The text of a message. A prompt is limited in code points, which are up to two UTF-16 code units. */
export const MessageText = textUpTo(Math.max(MAX_ANSWER_CHARACTERS, MAX_PROMPT_CHARACTERS * 2))

export const ShortText = z.string().min(1).max(200)

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
