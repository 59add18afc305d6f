import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'

export default function QueuePositionNotice({ position }: { position: number }): ReactNode {
  return position === 1
    ? t('We’re busy right now. You’re next in line.')
    : t('We’re busy right now. You’re number {place} in line.', { place: position })
}
