import type { AnswerState } from '../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import type { PersonalDataRules } from '../../personal-data/kinds.ts'
import { textMasker } from '../../personal-data/text-masker.ts'
import { type Agent, AgentFailure, type Tokens } from '../answering/agents/agent.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import { storageFaultOf } from '../store/engine/storage-fault.ts'
import { settleBudgetsAlone, type TokenUsage } from '../store/turns/budgets.ts'
import { answerChunks } from './log/answer-chunks.ts'
import type { ModelBudget } from './model-budget.ts'
import { type RouteOptions, routePrompt } from './prompt-router.ts'

export interface UnstoredEnd {
  status: 'done' | 'failed' | 'interrupted'
  code: ErrorCode | null
  retryAfterS?: number
}

export interface UnstoredRequest {
  agent: Agent
  /** The chat, with the prompt at its end. */
  messages: ChatMessage[]
  languages: readonly string[]
  reply: FixedReply | null
  /** Reserved, and settled at the end. */
  budget: ModelBudget
  excludedFiles: readonly string[]
  signal: AbortSignal
  onState: (state: AnswerState) => void
  onUsage?: (used: TokenUsage, by: ModelBudget['model']) => void
  onFiles?: (files: string[]) => void
  onReplaced?: () => void
}

/** Writes an answer and stores only its cost. Returns how it ended; the value is meaningless after an abort. */
export async function* unstoredAnswer(
  options: RouteOptions,
  { agent, messages, languages, reply, budget, excludedFiles, signal, onState, onUsage, onFiles, onReplaced }: UnstoredRequest,
): AsyncGenerator<ChatChunk, UnstoredEnd, undefined> {
  const prompt = textOf(messages.at(-1) ?? { parts: [] })
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  const count = (used: Tokens, by: ModelBudget['model']) => {
    usage = { ...used, ...(by !== budget.model && { usedFallback: true }) }
    onUsage?.(usage, by)
  }
  try {
    const verdict = reply ? undefined : routePrompt(options, agent, budget, { messages, languages, signal })
    const { model, allowance } = budget
    const request = { messages, signal, model, allowance, onUsage: count, excludedFiles, ...(onFiles && { onFiles }) }
    const source = { reply, verdict, asked: { prompt, languages }, onState, ...(onReplaced && { onReplaced }) }
    let isCut = false
    for await (const chunk of answerChunks(agent, request, source)) {
      isCut ||= chunk.type === 'message-metadata' && chunk.messageMetadata?.code === 'answer_too_long'
      yield chunk
    }
    return { status: 'done', code: isCut ? 'answer_too_long' : null }
  } catch (error) {
    return failedEnd(error, (code) => options.onFault(`An answer that isn't stored ended with ${code}`, error))
  } finally {
    await settleBudgetsAlone(options.database, budget.reservations, usage)
  }
}

/** The end of an answer that has failed, once its code is reported. One whose connection broke can be continued. */
export function failedEnd(error: unknown, report: (code: ErrorCode) => void): UnstoredEnd {
  const failure = error instanceof AgentFailure ? error : null
  const code = failure?.code ?? storageFaultOf(error) ?? 'internal'
  report(code)
  const retryAfter = failure?.retryAfterS === undefined ? {} : { retryAfterS: failure.retryAfterS }
  return { status: code === 'model_interrupted' ? 'interrupted' : 'failed', code, ...retryAfter }
}

/** Messages with placeholders for the personal data that the rules mask or refuse. */
export function maskedMessages(
  messages: readonly ChatMessage[],
  rules: PersonalDataRules,
  roles: readonly ChatMessage['role'][] = ['user', 'assistant'],
): ChatMessage[] {
  const masked = textMasker(rules)
  return messages.map((message) =>
    roles.includes(message.role) ? { ...message, parts: [{ type: 'text', text: masked(textOf(message)) }] } : message,
  )
}
