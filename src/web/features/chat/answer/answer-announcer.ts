import { textOf } from '../../../../contract/message.ts'
import { useApplication } from '../../../state/application-store.ts'
import type { ChatSession } from '../../../state/chat-session.ts'
import { wholeSentences } from './sentences.ts'
import { isConversing } from '../voice/use-voice.ts'
import { throttle } from '../effects/throttle.ts'

/** Sentences that stay in the live region, so that none is removed before it is read out. */
const MAX_SENTENCES = 30
/** Minimum time between two updates of the live region. */
const SPEAK_EVERY_MS = 500
/** Time in which screen readers take up the last sentences of an answer. */
const EMPTIED_AFTER_MS = 3_000

/**
 * Appends each complete sentence of a streaming answer once to `region`, a polite live region. Bypasses React, which would render
 * all sentences again for each new one. Empties the region soon after the answer, which is then read in the thread. Returns a function that
 * stops it.
 */
export function announceAnswers(region: HTMLElement): () => void {
  let spoken = { id: '', end: 0 }
  let emptying: ReturnType<typeof setTimeout> | undefined
  const speak = throttle((session: ChatSession) => {
    const answer = answerToSpeak(session, spoken.id)
    if (!answer) return
    const { message, isStreaming } = answer
    const from = message.id === spoken.id ? spoken.end : 0
    const { sentences, end } = wholeSentences(textOf(message), from, isStreaming)
    spoken = { id: message.id, end }
    // A voice conversation reads the answer aloud itself.
    if (!isConversing()) for (const sentence of sentences) appendSentence(region, sentence)
    clearTimeout(emptying)
    if (!isStreaming) emptying = setTimeout(() => region.replaceChildren(), EMPTIED_AFTER_MS)
  }, SPEAK_EVERY_MS)
  const unsubscribe = useApplication.subscribe(({ currentSession }, before) => {
    if (currentSession && currentSession !== before.currentSession) speak(currentSession)
  })
  return () => {
    unsubscribe()
    speak.cancel()
    clearTimeout(emptying)
    region.replaceChildren()
  }
}

function appendSentence(region: HTMLElement, sentence: string): void {
  const paragraph = document.createElement('p')
  paragraph.textContent = sentence
  region.append(paragraph)
  if (region.childElementCount > MAX_SENTENCES) region.firstElementChild?.remove()
}

/** The streaming answer, or the one that just ended. Answers of an opened chat are not read out. */
function answerToSpeak({ answer, messages }: ChatSession, spokenId: string) {
  if (answer.status === 'answering') return answer.message.id ? { message: answer.message, isStreaming: true } : null
  const last = messages.at(-1)
  return last && last.id === spokenId ? { message: last, isStreaming: false } : null
}
