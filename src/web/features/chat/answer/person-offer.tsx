import { type ReactNode, useEffect, useState } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { t } from '../../../../ui/language/translate.ts'
import { Button } from '../../../../ui/button.tsx'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'
import { useApplication } from '../../../state/application-store.ts'
import { useConfiguration } from '../../../state/configuration.ts'
import { syncOpenSession } from '../chat-actions.ts'
import './corrections.css'

const ReportDialog = lazyPart(() => import('./report-dialog.tsx'))

const POLL_MS = 30_000

/** The ways to a person below an answer; once staff were asked about its prompt, that, and their reply. */
export default function PersonOffer({ message, prompt }: { message: ChatMessage; prompt: ChatMessage }): ReactNode {
  const handover = useConfiguration((configuration) => configuration?.agent.handover ?? null)
  const isTemporary = useApplication((state) => state.isTemporary)
  const [isOpen, setOpen] = useState(false)
  const { askedStaffAt, corrections: replies = [] } = prompt.metadata ?? {}
  const [reply] = replies
  useReplies(askedStaffAt !== undefined && !reply)
  if (reply) {
    const label = t('Reply from the staff, {day}', { day: t.time(reply.at, { dateStyle: 'long' }) })
    return (
      <section className="correction" aria-label={label}>
        <strong>{label}</strong>
        <Markdown text={reply.text} />
      </section>
    )
  }
  // The reply to somebody who asks for a person has the contacts and hours in its text.
  const isToldByText = message.metadata?.fixedReply === 'person'
  const presence = !isToldByText && handover?.presence && <Presence {...handover.presence} />
  if (askedStaffAt)
    return (
      <p className="answer-state muted" role="status">
        {t('Sent to the staff. Their reply appears here.')} {presence}
      </p>
    )
  if (!handover) return null
  const { messages, contacts } = handover
  return (
    <section className="person">
      {presence && <p className="answer-state muted">{presence}</p>}
      {messages && (
        <p className="answer-state muted">
          {isTemporary
            ? t('In a temporary chat, you can’t leave the staff a message.')
            : t('You can leave the staff a message. Their reply appears in this chat.')}
        </p>
      )}
      {messages && !isTemporary && (
        <Button variant="outline" onClick={() => setOpen(true)}>
          {t('Leave the staff a message')}
        </Button>
      )}
      {!isToldByText &&
        contacts.map(({ label, url }) => (
          <a key={url} className="button outline" href={url} target="_blank" rel="noopener noreferrer" dir="auto">
            {label}
          </a>
        ))}
      {isOpen && <ReportDialog message={message} question={prompt.id} onClose={() => setOpen(false)} />}
    </section>
  )
}

function Presence({ isOpen, until }: { isOpen: boolean; until: string | null }): ReactNode {
  if (until === null) return null
  const time = t.time(until, { weekday: 'long', hour: 'numeric', minute: '2-digit' })
  return isOpen ? t('Somebody is there until {time}.', { time }) : t('Nobody is there at the moment. Opens again: {time}.', { time })
}

/** Loads the open chat anew from time to time while a reply is awaited and the page is seen. */
function useReplies(isAwaited: boolean): void {
  const key = useApplication(({ currentSession }) => currentSession?.key)
  useEffect(() => {
    if (!isAwaited || key === undefined) return
    const look = () => {
      if (!document.hidden) syncOpenSession({ key, updatedAt: new Date().toISOString(), runningTurn: null })
    }
    const timer = setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isAwaited, key])
}
