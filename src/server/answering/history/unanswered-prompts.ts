import type { ModelMessage } from 'ai'
import { ModelError } from '../../models/requests/model-error.ts'

/** Marks the text of a prompt that got no answer and became part of the next one. */
export const UNANSWERED = { parley: { unanswered: true } }

const CODES: readonly string[] = ['model_unavailable', 'model_failed', 'prompt_blocked']

/**
 * The conversation without prompts that got no answer, if the provider rejected one with them; `null` if that can't help. One that no
 * provider takes, such as one that a filter blocks, would otherwise end its chat for good.
 */
export function withoutUnanswered(messages: readonly ModelMessage[], failure: unknown): ModelMessage[] | null {
  if (!(failure instanceof ModelError) || !CODES.includes(failure.code)) return null
  let isLess = false
  const kept = messages.map((message): ModelMessage => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    const content = message.content.filter(({ providerOptions }) => providerOptions?.['parley']?.['unanswered'] !== true)
    isLess ||= content.length < message.content.length
    return { ...message, content }
  })
  return isLess ? kept : null
}
