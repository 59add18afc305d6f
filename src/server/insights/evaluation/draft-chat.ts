import { setTimeout as pause } from 'node:timers/promises'
import { type AnswerState, answerStateOf } from '../../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import type { Reply } from './check-answer.ts'
import type { Chat } from './run-cases.ts'

/** Answers the last message. */
export type AnswerMessages = (messages: ChatMessage[], signal: AbortSignal) => AsyncIterable<ChatChunk>

/** Rejections that pass, how often a prompt is sent again after one, and the pause before. */
const RETRIED: readonly (ErrorCode | null)[] = ['model_loading', 'model_busy']
const MAX_TRIES = 5
const RETRY_MS = 2_000

/** A chat that exists in memory alone. */
export class DraftChat implements Chat {
  readonly #answer: AnswerMessages
  readonly #signal: AbortSignal
  readonly #messages: ChatMessage[] = []

  constructor(answer: AnswerMessages, signal: AbortSignal) {
    this.#answer = answer
    this.#signal = signal
  }

  async ask(prompt: string): Promise<Reply> {
    const messages = [...this.#messages, messageOf('user', prompt)]
    for (let tries = 1; ; tries += 1) {
      const startedAt = performance.now()
      const builder = new MessageBuilder()
      for await (const chunk of this.#answer(messages, this.#signal)) builder.apply(chunk)
      this.#signal.throwIfAborted()
      const answer = builder.finished()
      const code = answer.metadata?.code ?? null
      if (tries < MAX_TRIES && RETRIED.includes(code)) {
        await pause(RETRY_MS, undefined, { signal: this.#signal })
        continue
      }
      this.#messages.splice(0, Infinity, ...messages, answer)
      const state: AnswerState = answer.metadata?.state ?? answerStateOf({ status: 'failed', code })
      return { state, code, answer, ms: performance.now() - startedAt }
    }
  }
}

/** A message of a chat that isn't stored. */
export function messageOf(role: 'user' | 'assistant', text: string): ChatMessage {
  return { id: '', role, parts: [{ type: 'text', text }] }
}
