import type { ReactNode } from 'react'
import { useTranslate } from '../../../../ui/language/translate.ts'

/** Shows the position in the server's queue. `position`: from 1. */
export default function QueuePositionNotice({ position }: { position: number }): ReactNode {
  const t = useTranslate()
  return position === 1
    ? t('We’re busy right now. You’re next in line.')
    : t('We’re busy right now. You’re number {place} in line.', { place: position })
}
