import type { ChatMessagePart } from '../message.ts'

/** Reasoning of a model before its answer. */
export type ReasoningPart = Extract<ChatMessagePart, { type: 'reasoning' }>

/** `providerMetadata` of reasoning that took `durationMs`. */
export const durationMetadata = (durationMs: number) => ({ parley: { durationMs } })

/** How long the reasoning took, in milliseconds; undefined while it is streaming and where it was not measured. */
export function durationOf({ providerMetadata }: ReasoningPart): number | undefined {
  const durationMs = providerMetadata?.['parley']?.['durationMs']
  return typeof durationMs === 'number' ? durationMs : undefined
}
