import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import { type CitedSource, citedSources } from '../../../contract/chat/cited-sources.ts'
import { splitCitations } from '../../../contract/chat/citation.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { TokenUsage } from '../../store/turns/budgets.ts'

export interface ReplyHead {
  id: string
  /** Seconds since the epoch. */
  created: number
  model: string
}

export interface Ended {
  code: ErrorCode | null
  state: AnswerState
  answer: ChatMessage
}

/** A whole answer in OpenAI's form, with its state and sources in `parley`. */
export function chatCompletion(head: ReplyHead, end: Ended, usage: TokenUsage) {
  const message = { role: 'assistant', content: textOf(end.answer), refusal: null, annotations: annotationsOf(end.answer) }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReasonOf(end) }]
  return { ...head, object: 'chat.completion', choices, usage: usageOf(usage), parley: ownFields(end) }
}

interface Delta {
  role?: 'assistant'
  content?: string
  annotations?: ReturnType<typeof annotationsOf>
}

export function chatChunk(head: ReplyHead, delta: Delta, finishReason: string | null = null) {
  return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] }
}

export function lastChunk(head: ReplyHead, end: Ended) {
  const annotations = annotationsOf(end.answer)
  return { ...chatChunk(head, annotations.length > 0 ? { annotations } : {}, finishReasonOf(end)), parley: ownFields(end) }
}

/** The piece after the last one, for clients that ask for the usage. */
export function usageChunk(head: ReplyHead, usage: TokenUsage) {
  return { ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(usage) }
}

/** The mark that an AI system answered (article 50 of the EU AI Act), and what OpenAI's form has no field for. */
export function ownFields({ state, answer }: Ended) {
  const { fixedReply } = answer.metadata ?? {}
  return { ai_generated: true, state, ...(fixedReply && { fixed_reply: fixedReply }), sources: citedSources(answer) }
}

export function finishReasonOf({ code, state }: Ended): string {
  if (code === 'answer_too_long') return 'length'
  return state === 'blocked_output' ? 'content_filter' : 'stop'
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens = 0 }: TokenUsage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  }
}

/** Where the text cites sources that have a web address, in Unicode code points; at its end for a source that it uses without a number. */
export function annotationsOf(answer: ChatMessage) {
  const sources = citedSources(answer)
  const annotations: ReturnType<typeof annotationOf>[] = []
  const cited = new Set<number>()
  let at = 0
  for (const piece of splitCitations(textOf(answer))) {
    const end = at + [...(typeof piece === 'string' ? piece : piece.text)].length
    for (const number of typeof piece === 'string' ? [] : piece.numbers) {
      const source = sources.find((one) => one.number === number)
      if (source?.address) annotations.push(annotationOf(source, at, end))
      cited.add(number)
    }
    at = end
  }
  for (const source of sources) if (source.address && !cited.has(source.number)) annotations.push(annotationOf(source, at, at))
  return annotations
}

function annotationOf({ title, address }: CitedSource, start: number, end: number) {
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url: address, title } }
}
