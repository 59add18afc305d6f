import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import './robot-check.css'

/** Progress of the proof of work. `share`: 0 to 1. */
export default function RobotCheck({ share }: { share: number }): ReactNode {
  return (
    <span className="robot-check">
      {t('Checking that you’re not a robot… Your message will be sent right after.')}
      <progress value={share} aria-label={t('Check progress')} />
    </span>
  )
}
