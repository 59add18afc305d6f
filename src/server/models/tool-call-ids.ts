import { createHash, randomBytes } from 'node:crypto'
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { LETTERS_AND_DIGITS } from '../../contract/size-limits.ts'
import { withCallOptions } from './streaming-model.ts'

/** Mistral accepts only such ids; every other provider accepts them too. */
const ACCEPTED_EVERYWHERE = /^[A-Za-z0-9]{9}$/
const LENGTH = 9

/** A new id of a tool call, in a form that every provider accepts. */
export function newToolCallId(): string {
  return lettersAndDigits(randomBytes(LENGTH))
}

/** The same id in a form that every provider accepts: one provider's ids are often refused by another. */
function acceptedToolCallId(id: string): string {
  return ACCEPTED_EVERYWHERE.test(id) ? id : lettersAndDigits(createHash('sha256').update(id).digest().subarray(0, LENGTH))
}

function lettersAndDigits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length]).join('')
}

/** Gives a model the tool calls of a conversation under ids that it accepts, whichever model made them. */
export function withAcceptedIds(model: LanguageModelV4): LanguageModelV4 {
  return withCallOptions(model, (options) => ({ ...options, prompt: acceptedPrompt(options.prompt) }))
}

function acceptedPrompt(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role === 'assistant') return { ...message, content: message.content.map(withAcceptedId) }
    if (message.role === 'tool') return { ...message, content: message.content.map(withAcceptedId) }
    return message
  })
}

function withAcceptedId<Part extends object>(part: Part): Part {
  return 'toolCallId' in part && typeof part.toolCallId === 'string' ? { ...part, toolCallId: acceptedToolCallId(part.toolCallId) } : part
}
