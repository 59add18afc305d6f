import { type ReactNode, useEffect, useRef, useState } from 'react'
import { textOf } from '../../../contract/message.ts'
import { type ChatSession, useApplication } from '../../state/application-store.ts'
import { wholeSentences } from './sentences.ts'

/** Spoken sentences that stay in the document: enough that none is taken away before it was read out. */
const KEPT = 30

/** What of the answer that is being written is to be spoken, whole sentences at a time and each once; for a polite live region. */
export default function AnswerAnnouncer(): ReactNode {
  const session = useApplication((state) => state.currentSession)
  const spoken = useRef({ id: '', end: 0 })
  const [sentences, setSentences] = useState<{ key: string; text: string }[]>([])
  useEffect(() => {
    const answer = session && answerToSpeak(session, spoken.current.id)
    if (!answer) return
    const { message, isGrowing } = answer
    if (message.id !== spoken.current.id) spoken.current = { id: message.id, end: 0 }
    const from = spoken.current.end
    const next = wholeSentences(textOf(message), from, isGrowing)
    spoken.current.end = next.end
    if (next.sentences.length === 0) return
    const fresh = next.sentences.map((text, index) => ({ key: `${message.id}-${from}-${index}`, text }))
    setSentences((before) => [...before, ...fresh].slice(-KEPT))
  }, [session])
  return sentences.map(({ key, text }) => <p key={key}>{text}</p>)
}

/** The answer that grows, or the one that just ended; an answer that was only opened is not read out. */
function answerToSpeak({ answer, messages }: ChatSession, spokenId: string) {
  if (answer.status === 'answering') return answer.message.id ? { message: answer.message, isGrowing: true } : null
  const last = messages.at(-1)
  return last && last.id === spokenId ? { message: last, isGrowing: false } : null
}
