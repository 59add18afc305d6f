import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'

/** When the open chat is deleted if it is not used until then. */
export default function DeletionDate(): ReactNode {
  const expiresAt = useApplication(
    ({ chatSessions, currentSession }) => chatSessions.find(({ key }) => key === currentSession?.key)?.expiresAt,
  )
  return expiresAt && <span className="roomy">{t('Saved until {day}', { day: dayOf(expiresAt) })}</span>
}

const SOON_MS = 2 * 24 * 60 * 60 * 1000

function dayOf(time: string): string {
  const isSoon = Date.parse(time) - Date.now() < SOON_MS
  return t.time(time, { month: 'long', day: 'numeric', ...(isSoon && { hour: 'numeric', minute: '2-digit' }) }).replaceAll(' ', '\u00A0')
}
