import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { PublicHandover } from '../../../../contract/config.ts'
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

interface PersonOfferProps {
  message: ChatMessage
  /** The prompt that it answers. */
  prompt: ChatMessage
}

/** The ways to a person below an answer; once staff were asked about its prompt, that, and their replies. */
export default function PersonOffer({ message, prompt }: PersonOfferProps): ReactNode {
  const handover = useConfiguration((configuration) => configuration?.agent.handover ?? null)
  const { askedStaff, corrections: replies } = prompt.metadata ?? {}
  if (askedStaff || replies) return <Asked prompt={prompt} />
  return handover && <Ways message={message} prompt={prompt} handover={handover} />
}

/** A region that says aloud what is new in it. */
function Asked({ prompt }: { prompt: ChatMessage }): ReactNode {
  const { askedStaff, corrections: replies = [] } = prompt.metadata ?? {}
  const region = useRef<HTMLDivElement>(null)
  useReplies(askedStaff?.isClosed === false && replies.length === 0)
  // The button that opened the dialog is gone.
  useEffect(() => {
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div role="status" tabIndex={-1} ref={region} className="asked">
      {replies.map(({ text, at }) => {
        const label = t('Reply from the staff, {day}', { day: t.time(at, { dateStyle: 'long' }) })
        return (
          <section key={at} className="correction" aria-label={label}>
            <strong>{label}</strong>
            <Markdown text={text} />
          </section>
        )
      })}
      {replies.length === 0 && (
        <p className="answer-state muted">
          {askedStaff?.isClosed
            ? t('The staff have read your message and closed it without a reply here.')
            : t('Sent to the staff. Their reply appears here.')}
        </p>
      )}
    </div>
  )
}

function Ways({ message, prompt, handover }: PersonOfferProps & { handover: PublicHandover }): ReactNode {
  const isTemporary = useApplication((state) => state.isTemporary)
  const [isOpen, setOpen] = useState(false)
  const { messages, contacts, presence } = handover
  // The reply to somebody who asks for a person has the contacts and hours in its text.
  const isToldByText = message.metadata?.fixedReply === 'person'
  return (
    <section className="person">
      {!isToldByText && presence && <Presence {...presence} />}
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

/** In the time of the place, as the fixed reply says it; nothing once that time has passed. */
function Presence({ isOpen, until, timeZone }: NonNullable<PublicHandover['presence']>): ReactNode {
  if (until === null || Date.parse(until) < Date.now()) return null
  const time = t.time(until, { timeZone, weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' })
  return (
    <p className="answer-state muted">
      {isOpen ? t('Somebody is there until {time}.', { time }) : t('Nobody is there at the moment. Opens again: {time}.', { time })}
    </p>
  )
}

/** Reloads the open chat every half minute while a reply is awaited and the page is visible. */
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
