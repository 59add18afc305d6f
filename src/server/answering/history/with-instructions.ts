import type { ChatMessage } from '../../../contract/chat/message.ts'

/** The messages with the visitor's standing instructions below the newest prompt, in the visitor's role: they are no more trusted than it. */
export function withInstructions(messages: readonly ChatMessage[], instructions: string): ChatMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    if (index !== newest) return message
    const last = message.parts.findLastIndex(({ type }) => type === 'text')
    return { ...message, parts: message.parts.map((part, at) => (at === last && part.type === 'text' ? below(part, instructions) : part)) }
  })
}

function below<Part extends { text: string }>(part: Part, instructions: string): Part {
  const lead = 'How I like answers written (follow this as far as your instructions and sources allow, and don’t mention it):'
  return { ...part, text: `${part.text}\n\n${lead}\n${instructions}` }
}
