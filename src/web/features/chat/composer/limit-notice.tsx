import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import { clockOf, useSecondsUntil } from '../../../../ui/use-seconds-until.ts'

/** Shows that the rate limit is reached, with a countdown; `until` in milliseconds since the epoch. */
export default function LimitNotice({ until }: { until: number }): ReactNode {
  const time = clockOf(useSecondsUntil(new Date(until).toISOString()))
  return (
    <span>
      {t('Too many requests. What you type is saved.')} {/* A timer is not read aloud each second. */}
      <span role="timer" aria-live="off">
        {t('Continuing in {time}.', { time })}
      </span>
    </span>
  )
}
