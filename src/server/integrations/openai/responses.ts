import { z } from 'zod'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { TokenUsage } from '../../store/turns/budgets.ts'
import type { UnstoredAnswer } from '../../turns/unstored-answers.ts'
import { annotationsOf, type Ended, finishReasonOf, ownFields, type ReplyHead } from './chat-reply.ts'
import { type ChatRequest, firstMistake, type Mistake, Part, readChatRequest } from './chat-request.ts'
import { errorBody } from './error-body.ts'

const Item = z.looseObject({
  type: z.literal('message', 'only messages are accepted').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(Part)]),
})
const STATELESS = 'nothing is stored: send the whole chat as input'
const ResponsesRequest = z.looseObject({
  input: z.union([z.string(), z.array(Item)]),
  previous_response_id: z.null(STATELESS).optional(),
  conversation: z.null(STATELESS).optional(),
  background: z.literal(false, STATELESS).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.literal('text', 'answers are text') }).nullish() }).nullish(),
})

/** Reads the body of `POST /v1/responses`. `instructions` are left out, as messages of the role `system` are. */
export function readResponsesRequest(body: unknown): ChatRequest | Mistake {
  const parsed = ResponsesRequest.safeParse(body)
  if (!parsed.success) return firstMistake(parsed.error)
  const { input, text: _, ...rest } = parsed.data
  const messages =
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : input.map(({ type: _message, ...item }) => ({ ...item, content: plain(item.content) }))
  const asked = readChatRequest({ ...rest, messages })
  return 'kind' in asked ? { ...asked, param: asked.param?.replace(/^messages/, 'input') ?? null } : asked
}

const plain = (content: z.infer<typeof Item>['content']) =>
  typeof content === 'string' ? content : content.map((part) => ({ ...part, type: part.type.replace(/^(in|out)put_text$/, 'text') }))

/** A whole answer in the form of OpenAI's Responses, with its state and sources in `parley`. */
export function wholeResponse(head: ReplyHead, end: Ended, usage: TokenUsage) {
  const reason = { length: 'max_output_tokens', content_filter: 'content_filter' }[finishReasonOf(end)]
  const { inputTokens, outputTokens, cacheReadTokens = 0 } = usage
  return {
    ...responseWith(head, reason ? 'incomplete' : 'completed', [messageOf(head, end)]),
    incomplete_details: reason ? { reason } : null,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cacheReadTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
    parley: ownFields(end),
  }
}

function responseWith({ id, created: created_at, model }: ReplyHead, status: string, output: object[] = []) {
  const unused = { error: null, incomplete_details: null, instructions: null, metadata: {}, temperature: null, top_p: null }
  return {
    id,
    object: 'response',
    created_at,
    status,
    model,
    output,
    ...unused,
    tools: [],
    tool_choice: 'none',
    parallel_tool_calls: false,
  }
}

const textPart = (text: string, annotations: object[] = []) => ({ type: 'output_text', text, annotations, logprobs: [] })

const messageWith = ({ id }: ReplyHead, status: string, content: object[] = []) => ({
  id: `msg_${id}`,
  type: 'message',
  status,
  role: 'assistant',
  content,
})

function messageOf(head: ReplyHead, end: Ended) {
  const annotations = annotationsOf(end.answer).map(({ type, url_citation }) => ({ type, ...url_citation }))
  return messageWith(head, finishReasonOf(end) === 'stop' ? 'completed' : 'incomplete', [textPart(textOf(end.answer), annotations)])
}

/** The events of an answer, in their order. */
export async function* responseFrames({ chunks, ended }: UnstoredAnswer, head: ReplyHead): AsyncGenerator<string> {
  let sequence_number = 0
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...data })}\n\n`
  const place = { item_id: `msg_${head.id}`, output_index: 0, content_index: 0 }
  const begun = { response: responseWith(head, 'in_progress') }
  yield event('response.created', begun) + event('response.in_progress', begun)
  yield event('response.output_item.added', { output_index: 0, item: messageWith(head, 'in_progress') })
  yield event('response.content_part.added', { ...place, part: textPart('') })
  for await (const chunk of chunks)
    if (chunk.type === 'text-delta') yield event('response.output_text.delta', { ...place, delta: chunk.delta, logprobs: [] })
  const { end, usage } = await ended
  if (end.status !== 'done') {
    const { error } = errorBody({ code: end.code ?? 'internal' })
    return yield event('response.failed', { response: { ...responseWith(head, 'failed'), error } })
  }
  const response = wholeResponse(head, end, usage)
  const item = messageOf(head, end)
  const [part] = item.content as [ReturnType<typeof textPart>]
  for (const [annotation_index, annotation] of part.annotations.entries())
    yield event('response.output_text.annotation.added', { ...place, annotation_index, annotation })
  yield event('response.output_text.done', { ...place, text: part.text, logprobs: [] })
  yield event('response.content_part.done', { ...place, part })
  yield event('response.output_item.done', { output_index: 0, item })
  yield event(`response.${response.status}`, { response })
}
