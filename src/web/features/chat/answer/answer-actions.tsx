import { type ReactNode, useState, type KeyboardEvent, type SyntheticEvent, useRef } from 'react'
import type { ChatMessage, Feedback } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { useLanguage } from '../../../../ui/language/language.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useConfiguration } from '../../../state/configuration.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { useChatMode } from '../chat-mode.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import '../message/message-actions.css'
import type { ScrollControls } from '../message/scroll-controls.ts'
import { OutlineButton } from '../outline-button.tsx'
import { canReadAloud, readAloud, stopReading, useReading } from './read-aloud.ts'
import { LEICHTE_SPRACHE } from './leichte-sprache.ts'
import { regenerate, send } from '../chat-actions.ts'
import { VersionSwitch } from '../message/version-switch.tsx'
import { MAX_REASON_CHARACTERS } from '../../../../contract/size-limits.ts'
import { failureSentence } from '../../../api/failure.ts'
import { giveFeedback } from '../../../api/message-calls.ts'
import { chatEvents, useApplication } from '../../../state/application-store.ts'
import { notify } from '../../../../ui/notification.tsx'

const ReportDialog = lazyPart(() => import('./report-dialog.tsx'))

const FLAG = 'M5 17V4c2.500-1.500 4.500-.8 6 0s3 1 4.500.2v8c-1.500.8-3 .6-4.500-.2s-3.500-1.500-6 0'
const SPEAKER = 'M3.500 8v4H6l4 3.500v-11L6 8zM12.500 7.500a3.500 3.500 0 0 1 0 5M14.800 5.200a6.800 6.800 0 0 1 0 9.600'

interface AnswerActionsProps {
  message: ChatMessage
  isLast: boolean
  scroll: ScrollControls
}

export default function AnswerActions({ message, isLast, scroll }: AnswerActionsProps): ReactNode {
  const { isSending, isTemporary } = useChatMode()
  const start = () => {
    regenerate(message.id)
    scroll.showPrompt()
  }
  return (
    <>
      {canReadAloud() && <ReadAloud message={message} />}
      {/* The server stores no answers of a temporary chat. */}
      {!isTemporary && (
        <>
          <IconButton icon="retry" className="small" label={t('Try again')} disabled={isSending} onClick={start} />
          <VersionSwitch message={message} scroll={scroll} />
          <FeedbackButtons message={message} />
          <Report message={message} />
        </>
      )}
      {isLast && !isSending && message.metadata?.status === 'done' && <Simpler scroll={scroll} />}
    </>
  )
}

function Report({ message }: { message: ChatMessage }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OutlineButton outline={FLAG} label={t('Report a problem with this answer')} onClick={() => setOpen(true)} />
      {isOpen && <ReportDialog message={message} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Asks for the last answer in simpler words, where the agent offers that; in German also in the regulated Leichte Sprache. */
function Simpler({ scroll }: { scroll: ScrollControls }): ReactNode {
  const isOffered = useConfiguration((configuration) => configuration?.agent.choices.includes('simpler') ?? false)
  const language = useLanguage((state) => state.language)
  if (!isOffered) return null
  const ask = (prompt: string) => {
    send(prompt)
    scroll.showPrompt()
  }
  return (
    <>
      <Button className="small" onClick={() => ask(t('Explain your last answer more simply.'))}>
        {t('Explain more simply')}
      </Button>
      {language === 'de' && (
        <Button className="small" onClick={() => ask(LEICHTE_SPRACHE.prompt)} lang="de">
          {LEICHTE_SPRACHE.label}
        </Button>
      )}
    </>
  )
}

function ReadAloud({ message }: { message: ChatMessage }): ReactNode {
  const isReading = useReading((state) => state.message === message.id)
  if (isReading) return <IconButton icon="stop" className="small" label={t('Stop reading aloud')} onClick={stopReading} />
  return <OutlineButton outline={SPEAKER} label={t('Read aloud')} onClick={() => readAloud(message.id, textOf(message))} />
}

const THUMB =
  'M3.500 9h2.500v7H3.500zM6 10l3.500-6.500c1.300 0 2 .9 1.800 2.200L10.900 8h4c1 0 1.700.9 1.500 1.900l-.9 4.600c-.2.900-.9 1.500-1.800 1.500H6'

/** Thumbs up and down, followed by an optional reason. Pressing a thumb again withdraws it. */
function FeedbackButtons({ message }: { message: ChatMessage }): ReactNode {
  const [isReasonOpen, setReasonOpen] = useState(false)
  const buttons = useRef<HTMLDivElement>(null)
  const given = message.metadata?.feedback
  const give = (thumb: Feedback['thumb']) => {
    const next = given?.thumb === thumb ? null : { thumb }
    setReasonOpen(next !== null)
    storeFeedback(message, next).catch(console.error)
  }
  const end = () => {
    setReasonOpen(false)
    buttons.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus({ preventScroll: true })
  }
  return (
    <>
      <div ref={buttons} className="thumbs" role="group" aria-label={t('How was this answer?')}>
        <OutlineButton outline={THUMB} label={t('Good answer')} aria-pressed={given?.thumb === 'up'} onClick={() => give('up')} />
        <OutlineButton
          outline={THUMB}
          className="turned"
          label={t('Bad answer')}
          aria-pressed={given?.thumb === 'down'}
          onClick={() => give('down')}
        />
      </div>
      {isReasonOpen && given && <ReasonForm message={message} given={given} onEnd={end} />}
    </>
  )
}

function ReasonForm({ message, given, onEnd }: { message: ChatMessage; given: Feedback; onEnd(): void }): ReactNode {
  const [reason, setReason] = useState(given.reason ?? '')
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    onEnd()
    const text = reason.trim()
    storeFeedback(message, { thumb: given.thumb, ...(text && { reason: text }) })
      .then((isStored) => isStored && notify({ message: t('Thank you. The operator of this site can read your feedback.') }))
      .catch(console.error)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.stopPropagation()
    onEnd()
  }
  return (
    <form className="reason" onSubmit={onSubmit}>
      <input
        value={reason}
        maxLength={MAX_REASON_CHARACTERS}
        dir="auto"
        aria-label={t('What went wrong? (optional)')}
        placeholder={t('What went wrong? (optional)')}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={onKey}
      />
      <Button variant="outline" className="small" type="submit" disabled={reason.trim() === ''}>
        {t('Send')}
      </Button>
      <Button className="small" onClick={onEnd}>
        {t('No, thanks')}
      </Button>
    </form>
  )
}

/** Shows the feedback immediately, and reverts it if storing fails. Resolves with whether it was stored. */
async function storeFeedback({ id, metadata }: ChatMessage, feedback: Feedback | null): Promise<boolean> {
  const key = useApplication.getState().currentSession?.key
  if (!key) return false
  chatEvents.dispatch({ type: 'feedback-given', key, id, feedback })
  const outcome = await giveFeedback(key, id, feedback)
  if (outcome.ok) return true
  chatEvents.dispatch({ type: 'feedback-given', key, id, feedback: metadata?.feedback ?? null })
  notify({ message: `${t('This wasn’t saved.')} ${failureSentence(outcome.code)}`, type: 'error' })
  return false
}
