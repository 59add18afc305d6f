import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslate } from '../../../../ui/language/translate.ts'
import type { Retry } from '../../../state/chat-session.ts'
import { Button } from '../../../../ui/button.tsx'
import { clockOf, useSecondsUntil } from '../../../../ui/use-seconds-until.ts'
import { retry as send } from '../chat-actions.ts'
import { useChatMode } from '../chat-mode.ts'
import { countRetry, retriesOf } from './automatic-retries.ts'

/** After waits up to this, a refused request is made again automatically. */
const LONGEST_BY_ITSELF_S = 60
/** Maximum number of automatic retries in a row. */
const MOST_BY_ITSELF = 3
/** Longer waits are shown as a time of day. */
const LONGEST_COUNTED_S = 3600

const idOf = (retry: Retry) => ('prompt' in retry ? retry.id : retry.turn)

interface RetryCountdownProps {
  retry: Retry
  /** When the server accepts the request, in milliseconds since the epoch. */
  retryAt: number
  /** The button of a manual retry. */
  children: ReactNode
}

/** Counts down to the next possible attempt, then retries automatically or offers a button. */
export default function RetryCountdown({ retry, retryAt, children }: RetryCountdownProps): ReactNode {
  const t = useTranslate()
  const seconds = useSecondsUntil(new Date(retryAt).toISOString())
  // One at a time: prompts that wait are sent in their order.
  const { isSending } = useChatMode()
  const [byItself, setByItself] = useState(
    () => (seconds > 0 || isSending) && seconds <= LONGEST_BY_ITSELF_S && retriesOf(idOf(retry)) < MOST_BY_ITSELF,
  )
  const isOver = seconds === 0
  const retryByItself = useEffectEvent(() => {
    countRetry(idOf(retry))
    // Unlike a click, an automatic retry does not move the focus.
    send(retry)
  })
  useEffect(() => {
    if (isOver && byItself && !isSending) retryByItself()
  }, [isOver, byItself, isSending])
  if (isOver && !byItself) return isSending ? null : children
  const time =
    seconds > LONGEST_COUNTED_S ? t.time(new Date(retryAt), { weekday: 'long', hour: 'numeric', minute: '2-digit' }) : clockOf(seconds)
  return (
    <>
      {/* Screen readers do not announce a timer every second. */}
      <span role="timer" className="muted">
        {byItself
          ? t('Sending again in {time}', { time })
          : seconds > LONGEST_COUNTED_S
            ? t('You can send it again from {time}.', { time })
            : t('You can send it again in {time}.', { time })}
      </span>
      {byItself && (
        <Button variant="outline" className="small" onClick={() => setByItself(false)}>
          {t('Cancel')}
        </Button>
      )}
    </>
  )
}
