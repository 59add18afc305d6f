import type { ChatMessagePart } from '../message.ts'
import type { FilePart } from './file.ts'
import type { ReasoningPart } from './reasoning.ts'
import type { SourceDocumentPart } from './source-document.ts'
import type { SourceUrlPart } from './source-url.ts'
import type { StepStartPart } from './step-start.ts'
import type { TextPart } from './text.ts'
import type { ToolPart } from './tool.ts'
import type { TopicsPart } from './topics.ts'

/**
 * The kinds of part that a message can have, by their `type`; tool calls are all `tool`.
 * A kind added here does not compile until it has its text below, its reducers, its stored form and its view.
 */
export interface PartTypes {
  text: TextPart
  reasoning: ReasoningPart
  'step-start': StepStartPart
  file: FilePart
  'source-url': SourceUrlPart
  'source-document': SourceDocumentPart
  tool: ToolPart
  'data-topics': TopicsPart
}
export type PartKind = keyof PartTypes

const none = () => ''

/** Plain text of each kind of part. */
const PLAIN_TEXT = {
  text: ({ text }) => text,
  reasoning: none,
  'step-start': none,
  file: none,
  'source-url': none,
  'source-document': none,
  tool: none,
  'data-topics': none,
} satisfies { [Kind in PartKind]: (part: PartTypes[Kind]) => string }

/** `undefined` for a part of an unknown kind, which every reader ignores. */
export function kindOf(part: { type: string }): PartKind | undefined {
  if ('toolCallId' in part) return 'tool'
  return Object.hasOwn(PLAIN_TEXT, part.type) ? (part.type as PartKind) : undefined
}

/** The part as plain text; empty for a kind without text. */
export function textOfPart(part: ChatMessagePart): string {
  const kind = kindOf(part)
  const toText = kind && (PLAIN_TEXT[kind] as (part: ChatMessagePart) => string)
  return toText?.(part) ?? ''
}
