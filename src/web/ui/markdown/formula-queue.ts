/** A formula to be drawn into an element. */
export interface Drawing {
  element: HTMLElement
  tex: string
  isDisplay: boolean
}

/** The page answers a key at least this often while formulas are drawn. */
const SLICE_MS = 8

const waiting = new Set<Drawing>()
let isDrawing = false

/** Draws a formula as soon as those before it are drawn, before the page is next shown if there is time. Returns how to call it off. */
export function drawSoon(drawing: Drawing): () => void {
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
