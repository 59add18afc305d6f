import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '../language/translate.ts'
import { queueFormula } from './formula-queue.ts'

/** Longer formulas stay as written. */
const MOST_CHARACTERS = 5_000

/** Further formulas in one text stay as written, because each takes some fifty elements. */
export const MOST_FORMULAS = 1_000
/** Number of rendered formulas per text. */
const drawn = new WeakMap<Element, number>()

/** A TeX formula. Shows `source` until it is rendered, or if it can't be. */
export function Formula({ tex, source, isDisplay }: { tex: string; source: string; isDisplay: boolean }): ReactNode {
  const t = useTranslate()
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    const text = element?.closest('.prose')
    const count = (text && drawn.get(text)) ?? 0
    if (!element || !text || count >= MOST_FORMULAS || tex.length > MOST_CHARACTERS) return
    drawn.set(text, count + 1)
    const callOff = queueFormula({ element, tex, isDisplay })
    return () => {
      callOff()
      drawn.set(text, drawn.get(text)! - 1)
    }
  }, [tex, isDisplay])
  // React sets the text once; the renderer owns the element afterwards.
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
