import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { type ApplicationState, useApplication } from '../../../state/application-store.ts'
import type { ChatSession } from '../../../state/chat-session.ts'

/**
 * The open session, unchanged while only its streaming answer progresses. A new piece therefore re-renders the answer alone,
 * which reads it from `useStreamingMessage`.
 */
export function useSettledSession(): ChatSession | null {
  const [select] = useState(() => {
    let last: ChatSession | null = null
    return ({ currentSession }: ApplicationState) => {
      if (!onlyAnswerProgressed(last, currentSession)) last = currentSession
      return last
    }
  })
  return useApplication(select)
}

function onlyAnswerProgressed(before: ChatSession | null, now: ChatSession | null): boolean {
  if (!before || !now || before.answer.status !== 'answering' || now.answer.status !== 'answering') return false
  const { messages, earlier, key, answer } = now
  return (
    before.messages === messages &&
    before.earlier === earlier &&
    before.key === key &&
    before.answer.connection === answer.connection &&
    before.answer.message.id === answer.message.id
  )
}

export function useStreamingMessage(message: ChatMessage, isStreaming: boolean): ChatMessage {
  const [latest, setLatest] = useState(message)
  useLayoutEffect(() => {
    if (!isStreaming) return
    return useApplication.subscribe(({ currentSession }, before) => {
      // Synchronous, and without the effects that the store's hook schedules for each piece.
      if (currentSession?.answer !== before.currentSession?.answer) flushSync(() => setLatest(currentMessageOf(message)))
    })
  }, [message, isStreaming])
  return isStreaming && latest.id === message.id ? latest : message
}

function currentMessageOf(message: ChatMessage): ChatMessage {
  const answer = useApplication.getState().currentSession?.answer
  return answer?.status === 'answering' && answer.message.id === message.id ? answer.message : message
}
