import type { ChatChunk, ChatMessagePart } from '../message.ts'
import type { Reducers } from './part-list.ts'

/** `type` of the part that offers topics to ask about. A data part, because clients of the AI SDK 5 and 6 reject custom ones. */
const TOPICS_TYPE = 'data-topics'

export interface TopicsPart {
  type: typeof TOPICS_TYPE
  data: { topics: string[] }
}

export function topicsChunk(topics: readonly string[]): Extract<ChatChunk, { type: `data-${string}` }> {
  return { type: TOPICS_TYPE, data: { topics: [...topics] } }
}

export const topicsReducers: Reducers = {
  [TOPICS_TYPE]: (parts, { data }) => parts.push({ type: TOPICS_TYPE, data }),
}

export function topicsOf({ parts }: { parts: readonly ChatMessagePart[] }): string[] {
  return parts.flatMap((part) => {
    if (part.type !== TOPICS_TYPE) return []
    const { topics } = (part as { data: { topics?: unknown } }).data
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : []
  })
}
