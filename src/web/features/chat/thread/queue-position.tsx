import type { ReactNode } from 'react'
import { useTranslate } from '../../../language/translate.ts'

/** Shows the position in the server's queue. `place`: from 1. */
export default function QueuePositionNotice({ place }: { place: number }): ReactNode {
  const t = useTranslate()
  return place === 1
    ? t('We’re busy right now. You’re next in line.')
    : t('We’re busy right now. You’re number {place} in line.', { place })
}
