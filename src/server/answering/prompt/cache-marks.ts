import type { ModelMessage, SystemModelMessage } from 'ai'

/** Ends a part of the request that Anthropic and Bedrock keep for later ones; other providers keep the beginning of requests by themselves. */
const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } }, bedrock: { cachePoint: { type: 'default' } } }

/** Marks what the next turn of a chat sends again: the instructions, and the conversation before the newest prompt. */
export function withCacheMarks(
  instructions: string,
  messages: readonly ModelMessage[],
): { instructions: SystemModelMessage; messages: ModelMessage[] } {
  const before = messages.findLastIndex(({ role }) => role === 'user') - 1
  return {
    instructions: { role: 'system', content: instructions, providerOptions: MARK },
    messages: messages.map((message, index) => (index === before ? { ...message, providerOptions: MARK } : message)),
  }
}
