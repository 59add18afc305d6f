import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslate } from '../../../language/translate.ts'
import type { Retry } from '../../../state/chat-session.ts'
import { Button } from '../../../ui/button.tsx'
import { clockOf, useSecondsUntil } from '../../../ui/use-seconds-until.ts'
import { retry as send } from '../chat-actions.ts'

/** A shorter wait than this ends with the message being sent by itself. */
const LONGEST_BY_ITSELF_S = 60
/** So often in a row; then its writer decides. */
const MOST_BY_ITSELF = 3
/** A longer wait than this is told by the clock. */
const LONGEST_COUNTED_S = 3600

/** What was sent by itself last, and how often. */
let last = { id: '', times: 0 }

const idOf = (retry: Retry) => ('prompt' in retry ? retry.id : retry.turn)
const timesOf = (retry: Retry) => (last.id === idOf(retry) ? last.times : 0)

interface RetryCountdownProps {
  retry: Retry
  /** From when on the server will listen, milliseconds since the epoch. */
  retryAt: number
  onRetry(retry: Retry): void
}

/** Counts the time until what was refused can be tried again, and does that then, or offers it. */
export default function RetryCountdown({ retry, retryAt, onRetry }: RetryCountdownProps): ReactNode {
  const t = useTranslate()
  const seconds = useSecondsUntil(new Date(retryAt).toISOString())
  const [byItself, setByItself] = useState(() => seconds > 0 && seconds <= LONGEST_BY_ITSELF_S && timesOf(retry) < MOST_BY_ITSELF)
  const isOver = seconds === 0
  const retryByItself = useEffectEvent(() => {
    last = { id: idOf(retry), times: timesOf(retry) + 1 }
    // Not as if it had been clicked: nobody's focus is moved.
    send(retry)
  })
  useEffect(() => {
    if (isOver && byItself) retryByItself()
  }, [isOver, byItself])
  if (isOver && !byItself) {
    return (
      <Button look="outline" className="small" icon="retry" onClick={() => onRetry(retry)}>
        {t('Retry')}
      </Button>
    )
  }
  const time =
    seconds > LONGEST_COUNTED_S ? t.time(new Date(retryAt), { weekday: 'long', hour: 'numeric', minute: '2-digit' }) : clockOf(seconds)
  return (
    <>
      {/* A timer is not read aloud each second. */}
      <span role="timer" className="muted">
        {byItself
          ? t('Sending again in {time}', { time })
          : seconds > LONGEST_COUNTED_S
            ? t('You can send it again from {time}.', { time })
            : t('You can send it again in {time}.', { time })}
      </span>
      {byItself && (
        <Button look="outline" className="small" onClick={() => setByItself(false)}>
          {t('Cancel')}
        </Button>
      )}
    </>
  )
}
