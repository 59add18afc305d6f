import { z } from 'zod'
import { Prompt } from '../../../contract/chat/chat.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { MAX_EARLIER_MESSAGES } from '../../../contract/size-limits.ts'

const MAX_MESSAGES = 2_000

/** A part of a message's content, or the part of a tool call; unknown fields are ignored, as clients send many. */
export const Part = z.looseObject({ type: z.string(), text: z.string().optional() })
const Message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
})
const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1).max(MAX_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'only one choice is given').nullish(),
  tool_choice: z.enum(['none', 'auto'], 'no tool of the client is called').nullish(),
  response_format: z.looseObject({ type: z.literal('text', 'answers are text') }).nullish(),
})

export interface ChatRequest {
  model: string
  isStreamed: boolean
  includesUsage: boolean
  /** The chat of user and assistant, with the prompt at its end. */
  messages: ChatMessage[]
}

export interface Mistake {
  kind: 'mistake'
  message: string
  /** Place in the body; `null` for the whole. */
  param: string | null
  code: ErrorCode
}

/**
 * Reads the body of `POST /v1/chat/completions`. `system` and `developer` messages are left out: the agent's file instructs the model. Tools of
 * the client aren't called, so their messages are refused.
 */
export function readChatRequest(body: unknown): ChatRequest | Mistake {
  const parsed = ChatCompletionRequest.safeParse(body)
  if (!parsed.success) return firstMistake(parsed.error)
  const { model, messages: all, stream, stream_options } = parsed.data
  const messages: ChatMessage[] = []
  for (const [index, { role, content, tool_calls }] of all.entries()) {
    if (role === 'system' || role === 'developer') continue
    if (role === 'tool' || role === 'function' || tool_calls?.length)
      return mistake('messages of tools are not accepted', `messages.${index}`)
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    if (parts.some(({ type }) => type !== 'text' && type !== 'refusal'))
      return mistake('only text is accepted', `messages.${index}.content`)
    const text = parts.map((part) => part.text ?? '').join('\n')
    messages.push({ id: `m${index}`, role, parts: [{ type: 'text', text: text.replaceAll('\0', '').toWellFormed() }] })
  }
  const last = messages.at(-1)
  if (last?.role !== 'user') return mistake('the last message must be from the user', 'messages')
  const prompt = Prompt.safeParse(textOf(last))
  if (!prompt.success) return mistake(null, `messages.${all.length - 1}.content`, prompt.error.issues[0]?.message as ErrorCode)
  const earlier = messages.slice(0, -1).filter((message) => textOf(message) !== '')
  return {
    model,
    isStreamed: stream === true,
    includesUsage: stream_options?.include_usage === true,
    messages: [...earlier.slice(-MAX_EARLIER_MESSAGES), { ...last, parts: [{ type: 'text', text: prompt.data }] }],
  }
}

export function firstMistake({ issues: [issue] }: z.ZodError): Mistake {
  return mistake(issue?.message ?? 'invalid', issue?.path.join('.') || null)
}

function mistake(message: string | null, param: string | null, code: ErrorCode = 'invalid_request'): Mistake {
  return { kind: 'mistake', message: message ?? '', param, code }
}
