import { setTimeout as pause } from 'node:timers/promises'
import { type AnswerState, answerStateOf } from '../../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import type { Chat } from './run-cases.ts'

/** Answers the last message. */
export type AnswerMessages = (messages: ChatMessage[], signal: AbortSignal) => AsyncIterable<ChatChunk>

/** Rejections that pass, how often a prompt is sent again after one, and the pause before. */
const RETRIED: readonly (ErrorCode | null)[] = ['model_loading', 'model_busy']
const MAX_TRIES = 5
const RETRY_MS = 2_000

/** A chat that exists in memory alone. */
export function draftChat(answer: AnswerMessages, signal: AbortSignal): Chat {
  const messages: ChatMessage[] = []
  return {
    async ask(prompt) {
      const asked = [...messages, messageOf('user', prompt)]
      for (let tries = 1; ; tries += 1) {
        const startedAt = performance.now()
        const builder = new MessageBuilder()
        for await (const chunk of answer(asked, signal)) builder.apply(chunk)
        signal.throwIfAborted()
        const reply = builder.finished()
        const code = reply.metadata?.code ?? null
        if (tries < MAX_TRIES && RETRIED.includes(code)) {
          await pause(RETRY_MS, undefined, { signal })
          continue
        }
        messages.splice(0, Infinity, ...asked, reply)
        const state: AnswerState = reply.metadata?.state ?? answerStateOf({ status: 'failed', code })
        return { state, code, answer: reply, ms: performance.now() - startedAt }
      }
    },
  }
}

/** A message of a chat that isn't stored. */
export function messageOf(role: 'user' | 'assistant', text: string): ChatMessage {
  return { id: '', role, parts: [{ type: 'text', text }] }
}
