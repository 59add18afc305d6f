import type { ReactNode } from 'react'
import { useSay } from '../../language/translate.ts'

/** Says that a message waits for others, and for how many. `place`: from 1. */
export default function QueuePlace({ place }: { place: number }): ReactNode {
  const say = useSay()
  return place === 1
    ? say('Many people are asking right now. You are next.')
    : say('Many people are asking right now. You are number {place} in line.', { place })
}
