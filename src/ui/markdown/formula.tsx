import type { Drawing } from './draw-formula.ts'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '../language/translate.ts'

/** Time slice for rendering formulas, so the page stays responsive. */
const SLICE_MS = 8

const waiting = new Set<Drawing>()
let isDrawing = false

/** Queues a formula for rendering, before the next paint if time allows. Returns a function that cancels it. */
function queueFormula(drawing: Drawing): () => void {
  waiting.add(drawing)
  if (!isDrawing) drawWaiting().catch(console.error)
  return () => {
    waiting.delete(drawing)
  }
}

async function drawWaiting(): Promise<void> {
  isDrawing = true
  try {
    const { drawFormula } = await import('./draw-formula.ts')
    while (waiting.size > 0) {
      const end = performance.now() + SLICE_MS
      for (const drawing of waiting) {
        waiting.delete(drawing)
        drawFormula(drawing)
        if (performance.now() > end) break
      }
      if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve))
    }
  } finally {
    isDrawing = false
  }
}

/** Longer formulas stay as written. */
const MOST_CHARACTERS = 5_000

/** Further formulas in one text stay as written, because each takes some fifty elements. */
export const MOST_FORMULAS = 1_000
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
