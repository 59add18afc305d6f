import { type ChatMessage, textOf } from '../src/contract/message.ts'
import { toolNameOf } from '../src/contract/parts/tool.ts'
import type { ErrorCode } from '../src/contract/errors.ts'

/**
 * The states that can be told from outside. A model's own "this is not covered" and its questions back cannot: they are
 * `answered_without_source` here, until the model declares its outcome.
 */
export const EXPECTED_STATES = [
  'answered',
  'answered_without_source',
  'not_covered',
  'blocked_input',
  'blocked_output',
  'failed',
  'stopped',
  'interrupted',
] as const
export type AnswerState = (typeof EXPECTED_STATES)[number]

const SEARCH = 'search_knowledge'
const CITATION = /\[(\d{1,3})\]/g

/** State of an answer that arrived; `builtinLabel` is what the built-in assistant's answers name as their model. */
export function stateOf(answer: ChatMessage, builtinLabel: string): AnswerState {
  const { status = 'done', code, model } = answer.metadata ?? {}
  if (status === 'failed') return code === 'answer_blocked' ? 'blocked_output' : 'failed'
  if (status === 'stopped' || status === 'interrupted') return status
  const usesTool = toolsOf(answer).some((tool) => tool !== SEARCH)
  if (usesTool || citedSources(answer).length > 0) return 'answered'
  if (model !== builtinLabel) return 'answered_without_source'
  // The built-in assistant quotes whole passages, without numbers.
  if (sourcesOf(answer).length > 0) return 'answered'
  return toolsOf(answer).includes(SEARCH) ? 'not_covered' : 'answered_without_source'
}

/** State of a rejected prompt. */
export function stateOfRejection(code: ErrorCode | null): AnswerState {
  return code === 'prompt_blocked' ? 'blocked_input' : 'failed'
}

export interface Source {
  number: string
  file: string
  title: string
  /** Text of its passage, as far as the stream carries it. */
  quote: string
}

/** The sources of an answer, in order. */
export function sourcesOf(answer: ChatMessage): Source[] {
  return answer.parts.flatMap((part) => {
    if (part.type !== 'source-document') return []
    const quote: unknown = part.providerMetadata?.['parley']?.['quote']
    return { number: part.sourceId, file: part.filename ?? '', title: part.title, quote: typeof quote === 'string' ? quote : '' }
  })
}

export function toolsOf(answer: ChatMessage): string[] {
  return answer.parts.flatMap((part) => ('toolCallId' in part ? toolNameOf(part) : []))
}

function citedSources(answer: ChatMessage): Source[] {
  const cited = new Set([...textOf(answer).matchAll(CITATION)].map(([, number]) => number))
  return sourcesOf(answer).filter(({ number }) => cited.has(number))
}
