import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ChatMessage } from '../../../../contract/message.ts'
import { type ApplicationState, useApplication } from '../../../state/application-store.ts'
import type { ChatSession } from '../../../state/chat-session.ts'

/**
 * The open session, of whose streaming answer only the beginning counts: it is the same object while nothing else changes, so that a piece
 * of an answer concerns the answer alone, which takes it from `useStreamingMessage`.
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

/** A message as it is now: while it is being written, as far as the page has it. */
export function useStreamingMessage(message: ChatMessage, isStreaming: boolean): ChatMessage {
  const [latest, setLatest] = useState(message)
  useLayoutEffect(() => {
    if (!isStreaming) return
    return useApplication.subscribe(({ currentSession }, before) => {
      // At once, and without the effects that a store's hook leaves behind at every piece.
      if (currentSession?.answer !== before.currentSession?.answer) flushSync(() => setLatest(currentMessageOf(message)))
    })
  }, [message, isStreaming])
  return isStreaming && latest.id === message.id ? latest : message
}

/** The answer that is being written, if that is what `message` has become. */
function currentMessageOf(message: ChatMessage): ChatMessage {
  const answer = useApplication.getState().currentSession?.answer
  return answer?.status === 'answering' && answer.message.id === message.id ? answer.message : message
}
