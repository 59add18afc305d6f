import type { ChatMessage } from '../../../../contract/chat/message.ts'

/** Messages that are rendered together. */
export interface MessageGroup {
  key: number
  messages: ChatMessage[]
}

const MOST_MESSAGES = 16

/**
 * Puts messages into groups, so that while the last one grows all groups but its own are the same objects as `before`. A message
 * stays in its group, which keeps its elements, when others come before or after it.
 */
export function groupMessages(messages: readonly ChatMessage[], before: readonly MessageGroup[] = []): MessageGroup[] {
  const groupOf = new Map(before.flatMap(({ key, messages: grouped }) => grouped.map(({ id }) => [id, key] as const)))
  const firstKnown = messages.findIndex(({ id }) => groupOf.has(id))
  let key = firstKnown < 0 ? 0 : (groupOf.get(messages[firstKnown]!.id) ?? 0) - Math.ceil(firstKnown / MOST_MESSAGES)
  const groups: MessageGroup[] = []
  for (const message of messages) {
    const last = groups.at(-1)
    const own = groupOf.get(message.id)
    if (own !== undefined && own > key) key = own
    else if (own === undefined && last?.key === key && last.messages.length >= MOST_MESSAGES) key += 1
    if (last?.key === key) last.messages.push(message)
    else groups.push({ key, messages: [message] })
  }
  const known = new Map(before.map((group) => [group.key, group]))
  return groups.map((group) => (isSame(group, known.get(group.key)) ? known.get(group.key)! : group))
}

function isSame({ messages }: MessageGroup, before: MessageGroup | undefined): boolean {
  return messages.length === before?.messages.length && messages.every((message, index) => message === before.messages[index])
}
