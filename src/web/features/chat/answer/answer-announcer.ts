import { textOf } from '../../../../contract/chat/message-text.ts'
import { useApplication } from '../../../state/application-store.ts'
import { type ChatSession, currentAnswerId } from '../../../state/chat-session.ts'
import { wholeSentences } from './sentences.ts'
import { throttle } from '../effects/throttle.ts'

/** Sentences that stay in the live region, so that none is removed before it is read out. */
const MAX_SENTENCES = 30
/** Minimum time between two updates of the live region. */
const SPEAK_EVERY_MS = 500
/** Time in which screen readers take up the last sentences of an answer. */
const EMPTIED_AFTER_MS = 3_000

/**
 * Appends each complete sentence of a streaming answer once to `region`, a polite live region. Bypasses React, which would render
 * all sentences again for each new one. Empties the region soon after the answer, which is then read in the thread. Returns a function
 * that stops it.
 */
export function announceAnswers(region: HTMLElement): () => void {
  let spoken = { id: '', end: 0 }
  let emptying: ReturnType<typeof setTimeout> | undefined
  /** The sentences since the last call; `undefined` without an answer. */
  const newSentences = (session: ChatSession) => {
    const answer = answerToSpeak(session, spoken.id)
    if (!answer) return undefined
    const { message, isStreaming } = answer
    const from = message.id === spoken.id ? spoken.end : 0
    const { sentences, end } = wholeSentences(textOf(message), from, isStreaming)
    spoken = { id: message.id, end }
    return { sentences, isStreaming }
  }
  const speak = throttle((session: ChatSession) => {
    const added = newSentences(session)
    if (!added) return
    for (const sentence of added.sentences) appendSentence(region, sentence)
    clearTimeout(emptying)
    if (!added.isStreaming) emptying = setTimeout(() => region.replaceChildren(), EMPTIED_AFTER_MS)
  }, SPEAK_EVERY_MS)
  const announce = (session: ChatSession | null) => session && speak(session)
  const unsubscribe = useApplication.subscribe(({ currentSession }, before) => {
    if (currentSession === before.currentSession) return
    // A short answer may end without having been shown streaming.
    const id = currentAnswerId(currentSession, before.currentSession)
    if (id !== '' && id !== spoken.id) spoken = { id, end: 0 }
    announce(currentSession)
  })
  announce(useApplication.getState().currentSession)
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
