import type { ChatMessagePart } from '../message.ts'
import type { FilePart } from './file.ts'
import type { ReasoningPart } from './reasoning.ts'
import type { StepStartPart } from './step-start.ts'
import type { ToolPart } from './tool.ts'
import type { TopicsPart } from './topics.ts'

type Of<Type extends string> = Extract<ChatMessagePart, { type: Type }>

/**
 * The kinds of part that a message can have, by their `type`; tool calls are all `tool`.
 * A kind added here does not compile until it is named below, and has its reducers, its stored form and its view.
 */
export interface PartTypes {
  /** Markdown of an answer, or a prompt as typed. */
  text: Of<'text'>
  reasoning: ReasoningPart
  'step-start': StepStartPart
  file: FilePart
  /** A web page that the model's provider searched. */
  'source-url': Of<'source-url'>
  /** A passage that the answer may cite by number; `citationOf` reads its details. */
  'source-document': Of<'source-document'>
  tool: ToolPart
  'data-topics': TopicsPart
}
export type PartKind = keyof PartTypes

const KINDS: Readonly<Record<PartKind, true>> = {
  text: true,
  reasoning: true,
  'step-start': true,
  file: true,
  'source-url': true,
  'source-document': true,
  tool: true,
  'data-topics': true,
}

/** `undefined` for a part of an unknown kind, which every reader ignores. */
export function kindOf(part: { type: string }): PartKind | undefined {
  if ('toolCallId' in part) return 'tool'
  return Object.hasOwn(KINDS, part.type) ? (part.type as PartKind) : undefined
}

export const textOfPart = (part: ChatMessagePart): string => (part.type === 'text' ? part.text : '')
