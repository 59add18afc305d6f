import type { ReactNode } from 'react'
import { useTranslate } from '../../../language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { useConfiguration } from '../../../state/configuration.ts'

/** The site and the day of the chat's last message, below the title of a printed chat. */
export function PrintedDate(): ReactNode {
  const t = useTranslate()
  const name = useConfiguration((configuration) => configuration?.name)
  const updatedAt = useApplication(({ currentSession }) => currentSession?.updatedAt)
  return (
    <p className="print-only muted">
      {name} · {t.time(updatedAt ?? new Date(), { dateStyle: 'long' })}
    </p>
  )
}
