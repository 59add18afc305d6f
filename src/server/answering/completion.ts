import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type ModelMessage, experimental_streamLanguageModelCall as streamLanguageModelCall } from 'ai'
import { failureBehind } from '../models/agent-failure.ts'
import { TextCleaner } from './filters/clean-text.ts'
import { separateThoughts } from './filters/think-tags.ts'
import { writtenCalls } from './filters/written-calls.ts'
import { estimateMessages } from '../models/tokens/estimate-messages.ts'
import { estimateTokens } from '../models/tokens/estimate-tokens.ts'
import { TokenMeter, type Tokens } from '../models/tokens/token-meter.ts'

/** A short text outside of an answer: no tools, no steps, not streamed to a reader. */
export interface CompletionRequest {
  instructions: string
  /** A prompt, or a conversation that ends with one. */
  text: string | ModelMessage[]
  maxOutputTokens: number
  signal: AbortSignal
}

/** The text and its token usage, estimated if the model reports none. */
export interface Completion {
  text: string
  used: Tokens
}

export type Complete = (request: CompletionRequest) => Promise<Completion>

/** Tokens are rarely longer; text beyond this is cut. */
const MAX_CHARACTERS_A_TOKEN = 16

/** Upper bound of a completion's tokens, as budgets estimate it. */
export function estimateCompletion({ instructions, text, maxOutputTokens }: Omit<CompletionRequest, 'signal'>): Tokens {
  const tokens = typeof text === 'string' ? estimateTokens(text) : estimateMessages(text)
  return { inputTokens: TOKENS_AROUND + estimateTokens(instructions) + tokens, outputTokens: maxOutputTokens }
}

/** Overhead of the chat format. */
const TOKENS_AROUND = 40

/** Completes one prompt, and counts its tokens with those of `meter`. Throws `AgentFailure` or the signal's reason. */
export async function complete(model: LanguageModelV4, request: CompletionRequest, meter = new TokenMeter()): Promise<Completion> {
  const { instructions, text: prompt, maxOutputTokens, signal } = request
  const cleaner = new TextCleaner()
  let text = ''
  try {
    const messages = typeof prompt === 'string' ? [{ role: 'user' as const, content: prompt }] : prompt
    const { stream } = await streamLanguageModelCall({ model, instructions, messages, maxOutputTokens, abortSignal: signal })
    meter.begin(estimateCompletion(request).inputTokens)
    const parts = separateThoughts(writtenCalls(stream, { tools: {} }), { thinking: { opensThoughts: false } })
    for await (const part of parts) {
      if (part.type === 'error') throw part.error
      if (part.type === 'reset-step') text = ''
      if (part.type === 'text-delta') text += cleaner.clean(part.text)
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') meter.wrote(part.text)
      if (part.type === 'model-call-end') meter.end(part.usage)
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw failureBehind(error)
  }
  return {
    text: text
      .slice(0, maxOutputTokens * MAX_CHARACTERS_A_TOKEN)
      .toWellFormed()
      .trim(),
    used: meter.used,
  }
}
