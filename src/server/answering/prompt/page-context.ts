import type { ChatMessage } from '../../../contract/chat/message.ts'
import { untrustedContent } from '../tools/untrusted-content.ts'

/** Puts the embedding page's own description, as untrusted, before the newest prompt. */
export function withPageContext(messages: readonly ChatMessage[], context: Readonly<Record<string, string>>): ChatMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const text = JSON.stringify(untrustedContent('the web page on which the visitor is, about itself', context))
  return messages.map((message, index) => (index === newest ? { ...message, parts: [{ type: 'text', text }, ...message.parts] } : message))
}
