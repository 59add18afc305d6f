import type { ReactNode } from 'react'
import { useSay } from '../../language/translate.ts'
import { adoptStyles } from '../../ui/adopt-styles.ts'
import styles from './robot-check.css?inline'

adoptStyles(styles)

/** Says why a message is not sent yet, and how far that is. `share`: from 0 to 1. */
export default function RobotCheck({ share }: { share: number }): ReactNode {
  const say = useSay()
  return (
    <span className="robot-check">
      {say('Checking that you are not a robot… Your message is sent right after.')}
      <progress value={share} aria-label={say('How far the check is')} />
    </span>
  )
}
