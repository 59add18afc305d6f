import type { ChatMessagePart } from '../message.ts'
import type { Reducers } from './reducers.ts'

/** `kind` of the custom part that offers topics to ask about; they are in `providerMetadata.parley.topics` (strings). */
export const TOPICS_KIND = 'parley.topics'

/** Topics that an answer offers to ask about next; custom parts of another `kind` are ignored. */
export type TopicsPart = Extract<ChatMessagePart, { type: 'custom' }>

export const topicsReducers: Reducers = {
  custom: (parts, chunk) => {
    if (chunk.kind === TOPICS_KIND) parts.push(chunk)
  },
}

/** The topics that an answer offers; empty if none. */
export function topicsOf({ parts }: { parts: readonly ChatMessagePart[] }): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'custom' || part.kind !== TOPICS_KIND) return []
    const topics: unknown = part.providerMetadata?.['parley']?.['topics']
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : []
  })
}
