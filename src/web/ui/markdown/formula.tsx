import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { drawSoon } from './formula-queue.ts'

/** Longer ones are shown as they are written. */
const MOST_CHARACTERS = 5_000

/** Formulas beyond this in one text are shown as they are written: each is some fifty elements of the page. */
export const MOST_FORMULAS = 1_000
/** How many are drawn in each text. */
const drawn = new WeakMap<Element, number>()

/** A formula in TeX's notation; until it is drawn, and when that can't be done, `source` as it was written. */
export function Formula({ tex, source, isDisplay }: { tex: string; source: string; isDisplay: boolean }): ReactNode {
  const t = useTranslate()
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    const text = element?.closest('.prose')
    const count = (text && drawn.get(text)) ?? 0
    if (!element || !text || count >= MOST_FORMULAS || tex.length > MOST_CHARACTERS) return
    drawn.set(text, count + 1)
    const callOff = drawSoon({ element, tex, isDisplay })
    return () => {
      callOff()
      drawn.set(text, drawn.get(text)! - 1)
    }
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
    <span className="formula" tabIndex={0} role="group" aria-label={t('Formula')}>
      {formula}
    </span>
  )
}
