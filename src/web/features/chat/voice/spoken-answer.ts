import type { ChatMessage } from '../../../../contract/message.ts'
import { textOf } from '../../../../contract/message-text.ts'
import { approvalRequestParts } from '../../../../contract/parts/tool.ts'
import { type ChatSession, isAnswerPending } from '../../../state/chat-session.ts'
import { wholeSentences } from '../answer/sentences.ts'
import type { VoiceEvent } from './voice-conversation.ts'

/** Turns changes of the open chat into events of a voice conversation. */
export class SpokenAnswer {
  #spoken = { id: '', end: 0 }

  /** Text of the answer that is being read, for its language. */
  text = ''

  /** The events of a change of the open chat. */
  read(session: ChatSession | null, before: ChatSession | null): VoiceEvent[] {
    if (isAnotherChat(session, before)) return [{ type: 'ended', reason: 'page' }]
    const [was, is] = [isAnswerPending(before), isAnswerPending(session)]
    if (!session) return []
    if (is) return [...(was ? [] : [{ type: 'answer-begun' } as const]), ...this.#streamed(session)]
    if (session.answer.status === 'rejected' && session.answer !== before?.answer) return [{ type: 'ended', reason: 'page' }]
    return was ? this.#complete(session.messages.at(-1)) : []
  }

  #streamed({ answer }: ChatSession): VoiceEvent[] {
    return answer.status === 'answering' && answer.message.id !== '' ? this.#sentences(answer.message, true) : []
  }

  #complete(message: ChatMessage | undefined): VoiceEvent[] {
    if (message?.role !== 'assistant') return [{ type: 'answer-ended' }]
    const sentences = this.#sentences(message, false)
    // Only the visitor can decide, and sees what.
    if (approvalRequestParts(message).length > 0) return [...sentences, { type: 'ended', reason: 'page' }]
    return [...sentences, { type: 'answer-ended' }]
  }

  #sentences(message: ChatMessage, isStreaming: boolean): VoiceEvent[] {
    this.text = textOf(message)
    const from = message.id === this.#spoken.id ? this.#spoken.end : 0
    const { sentences, end } = wholeSentences(this.text, from, isStreaming)
    this.#spoken = { id: message.id, end }
    return sentences.length > 0 ? [{ type: 'sentences-written', sentences }] : []
  }
}

/** A new chat gets another key with its first reply, while its answer is pending. */
function isAnotherChat(session: ChatSession | null, before: ChatSession | null): boolean {
  if (session?.key === before?.key) return false
  return !isAnswerPending(session) || (before !== null && !isAnswerPending(before))
}
