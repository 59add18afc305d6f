import type { ChatMessagePart } from '../message.ts'
import type { FilePart } from './file.ts'
import type { ReasoningPart } from './reasoning.ts'
import type { StepStartPart } from './step-start.ts'
import type { ToolPart } from './tool.ts'
import type { TopicsPart } from './topics.ts'

type Of<Type extends string> = Extract<ChatMessagePart, { type: Type }>

/**
 * The kinds of part that a message can have, by their `type`; tool calls are all `tool`.
 * A kind added here does not compile until it has its text below, its reducers, its stored form and its view.
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

const none = () => ''

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

export function textOfPart(part: ChatMessagePart): string {
  const kind = kindOf(part)
  const toText = kind && (PLAIN_TEXT[kind] as (part: ChatMessagePart) => string)
  return toText?.(part) ?? ''
}
