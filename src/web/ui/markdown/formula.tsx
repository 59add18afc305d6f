import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useSay } from '../../language/say.ts'
import { drawSoon } from './formula-queue.ts'

/** Longer ones are shown as they are written. */
const MOST_CHARACTERS = 5_000

/** A formula in TeX's notation; until it is drawn, and when that can't be done, `source` as it was written. */
export function Formula({ tex, source, isDisplay }: { tex: string; source: string; isDisplay: boolean }): ReactNode {
  const say = useSay()
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (place.current && tex.length <= MOST_CHARACTERS) return drawSoon({ element: place.current, tex, isDisplay })
  }, [tex, isDisplay])
  // React writes the text once; from then on the element belongs to what draws.
  const formula = (
    <span ref={place} key={source} dir="ltr">
      {source}
    </span>
  )
  if (!isDisplay) return formula
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <span className="formula" tabIndex={0} role="group" aria-label={say('Formula')}>
      {formula}
    </span>
  )
}
