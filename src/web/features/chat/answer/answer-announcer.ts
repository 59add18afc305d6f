import { textOf } from '../../../../contract/message.ts'
import { useApplication } from '../../../state/application-store.ts'
import type { ChatSession } from '../../../state/chat-session.ts'
import { wholeSentences } from './sentences.ts'
import { throttle } from '../effects/throttle.ts'

/** Spoken sentences that stay in the document: enough that none is taken away before it was read out. */
const KEPT = 30
/** What was written is looked at for sentences at most this often. */
const SPEAK_EVERY_MS = 500

/**
 * Says in `region`, a polite live region, what of the answer that is being written is to be spoken: whole sentences at a time, each once.
 * Written straight into the document: React would draw all that was said with every sentence. Returns what ends it.
 */
export function announceAnswers(region: HTMLElement): () => void {
  let spoken = { id: '', end: 0 }
  const speak = throttle((session: ChatSession) => {
    const answer = answerToSpeak(session, spoken.id)
    if (!answer) return
    const { message, isStreaming } = answer
    const from = message.id === spoken.id ? spoken.end : 0
    const { sentences, end } = wholeSentences(textOf(message), from, isStreaming)
    spoken = { id: message.id, end }
    for (const sentence of sentences) t(region, sentence)
  }, SPEAK_EVERY_MS)
  const unsubscribe = useApplication.subscribe(({ currentSession }, before) => {
    if (currentSession && currentSession !== before.currentSession) speak(currentSession)
  })
  return () => {
    unsubscribe()
    speak.cancel()
    region.replaceChildren()
  }
}

function t(region: HTMLElement, sentence: string): void {
  const paragraph = document.createElement('p')
  paragraph.textContent = sentence
  region.append(paragraph)
  if (region.childElementCount > KEPT) region.firstElementChild?.remove()
}

/** The answer that grows, or the one that just ended; an answer that was only opened is not read out. */
function answerToSpeak({ answer, messages }: ChatSession, spokenId: string) {
  if (answer.status === 'answering') return answer.message.id ? { message: answer.message, isStreaming: true } : null
  const last = messages.at(-1)
  return last && last.id === spokenId ? { message: last, isStreaming: false } : null
}
