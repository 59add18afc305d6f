import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { MAX_REASON_CHARACTERS } from '../../../../contract/size-limits.ts'
import type { ChatMessage, Feedback } from '../../../../contract/chat/message.ts'
import { failureSentence } from '../../../api/failure.ts'
import { giveFeedback } from '../../../api/message-calls.ts'
import { t } from '../../../../ui/language/translate.ts'
import { chatEvents, useApplication } from '../../../state/application-store.ts'
import { Button } from '../../../../ui/button.tsx'
import { notify } from '../../../../ui/notification.tsx'
import { OutlineButton } from '../outline-button.tsx'

const THUMB =
  'M3.500 9h2.500v7H3.500zM6 10l3.500-6.500c1.300 0 2 .9 1.800 2.200L10.900 8h4c1 0 1.700.9 1.500 1.900l-.9 4.600c-.2.900-.9 1.500-1.800 1.500H6'

/** Thumbs up and down, followed by an optional reason. Pressing a thumb again withdraws it. */
export function FeedbackButtons({ message }: { message: ChatMessage }): ReactNode {
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
