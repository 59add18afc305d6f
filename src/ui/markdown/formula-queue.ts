import type { Drawing } from './draw-formula.ts'

/** Time slice for rendering formulas, so the page stays responsive. */
const SLICE_MS = 8

const waiting = new Set<Drawing>()
let isDrawing = false

/** Queues a formula for rendering, before the next paint if time allows. Returns a function that cancels it. */
export function queueFormula(drawing: Drawing): () => void {
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
