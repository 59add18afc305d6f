import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { type ContentWord, ContentWordReader } from '../replies/content-words.ts'

/** A prompt within this time after an answer may be a new attempt at the one before. */
const REPHRASED_MS = 10 * 60 * 1000
/** Share of the content words of the prompt before. */
const SHARED = 0.5

const reader = new ContentWordReader()

/** Whether the last prompt asks again what the prompt before asked: soon after its answer, and with half of its word stems. */
export function rephrases(messages: readonly ChatMessage[], now: number): boolean {
  const [before, answer, prompt] = messages.slice(-3)
  if (before?.role !== 'user' || answer?.role !== 'assistant' || prompt?.role !== 'user') return false
  if (!(now - Date.parse(answer.metadata?.createdAt ?? '') <= REPHRASED_MS)) return false
  return sharesStems(reader.read(textOf(before)), reader.read(textOf(prompt)))
}

function sharesStems(before: readonly ContentWord[], after: readonly ContentWord[]): boolean {
  const stems = new Set(after.flat())
  const shared = before.filter((word) => word.some((stem) => stems.has(stem))).length
  return before.length > 0 && shared >= before.length * SHARED
}
