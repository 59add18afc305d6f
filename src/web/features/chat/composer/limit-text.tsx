import type { ReactNode } from 'react'
import { useTranslate } from '../../../language/translate.ts'
import { clockOf, useSecondsUntil } from '../../../ui/use-seconds-until.ts'

/** Says that the server was asked too much, and counts the time until it is asked again; `until` in milliseconds since the epoch. */
export default function LimitedWords({ until }: { until: number }): ReactNode {
  const t = useTranslate()
  const time = clockOf(useSecondsUntil(new Date(until).toISOString()))
  return (
    <span>
      {t('Much was opened in a short time. What you write stays here.')} {/* A timer is not read aloud each second. */}
      <span role="timer" aria-live="off">
        {t('It goes on by itself in {time}.', { time })}
      </span>
    </span>
  )
}
