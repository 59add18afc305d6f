import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import './robot-check.css'

/** Says that a proof of work is being done. */
export default function RobotCheck(): ReactNode {
  return (
    <span className="robot-check">
      {t('Checking that you’re not a robot… Your message will be sent right after.')}
      <progress aria-label={t('Check progress')} />
    </span>
  )
}
