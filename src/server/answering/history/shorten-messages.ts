import type { ModelMessage } from 'ai'
import { isContinueMessage } from '../../models/builtin/continuation.ts'
import { estimateMessages } from '../../models/tokens/estimate-messages.ts'

/** Keeps the newest exchange before the prompt if it is at most this share of the history. */
const EXCHANGE_SHARE = 0.25
/** Tool results longer than this are halved if there is no history to drop. */
const MIN_CUT_CHARACTERS = 1_000

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type ToolOutput = Extract<ToolMessage['content'][number], { type: 'tool-result' }>['output']

/**
 * Shortens messages that a model rejected as too long: drops the history except for a short last exchange, or halves tool results if
 * there is no history. Returns `null` if nothing can be dropped.
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
