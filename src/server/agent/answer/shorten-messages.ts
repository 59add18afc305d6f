import type { ModelMessage } from 'ai'
import { isContinueMessage } from './continuation.ts'
import { estimateMessages } from '../tokens/estimate-messages.ts'

/** The newest exchange before the prompt stays if it is no larger than this share of what was before. */
const EXCHANGE_SHARE = 0.25
/** Longer results of tools are halved where there is no history to leave out. */
const MIN_CUT_CHARACTERS = 1_000

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type ToolOutput = Extract<ToolMessage['content'][number], { type: 'tool-result' }>['output']

/**
 * The messages for a model that found them too long: without what was said before the newest prompt, but for a short last exchange;
 * or, if nothing was, with what tools returned cut in half. Null if there is nothing to leave out.
 */
export function shorterHistory(messages: readonly ModelMessage[]): ModelMessage[] | null {
  const prompt = messages.findLastIndex((message) => message.role === 'user' && !isContinueMessage(message))
  const earlier = messages.slice(0, Math.max(0, prompt))
  const current = messages.slice(Math.max(0, prompt))
  if (earlier.length === 0) return withShorterResults(current)
  const exchange = earlier.slice(earlier.findLastIndex(({ role }) => role === 'user'))
  const includesExchange = exchange.length < earlier.length && estimateMessages(exchange) <= EXCHANGE_SHARE * estimateMessages(earlier)
  return [...(includesExchange ? exchange : []), ...current]
}

function withShorterResults(messages: readonly ModelMessage[]): ModelMessage[] | null {
  let isShorter = false
  const cut = messages.map((message): ModelMessage => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      const output = part.type === 'tool-result' ? halved(part.output) : null
      if (part.type !== 'tool-result' || !output) return part
      isShorter = true
      return { ...part, output }
    })
    return { ...message, content }
  })
  return isShorter ? cut : null
}

function halved(output: ToolOutput): ToolOutput | null {
  const text = output.type === 'text' ? output.value : output.type === 'json' ? JSON.stringify(output.value) : ''
  if (text.length < MIN_CUT_CHARACTERS) return null
  return {
    type: 'text',
    value: `${text.slice(0, text.length / 2).toWellFormed()} […] [The rest was left out: it is more than you can read.]`,
  }
}
