import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Frame, Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface AxeWindow {
  axe?: { run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
}

/** Violations that axe finds in the page and its frames, as "rule: first element". */
export async function violationsIn(page: Page, rules?: string[]): Promise<string[]> {
  const found = page.frames().map((frame) =>
    violationsOf(frame, rules).catch((cause: unknown) => {
      // The idle diagram frame may be removed meanwhile.
      if (frame.isDetached()) return []
      throw cause
    }),
  )
  return (await Promise.all(found)).flat()
}

async function violationsOf(frame: Frame, rules?: string[]): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE)
  const options = { resultTypes: ['violations'], selectors: false, iframes: false, ...(rules && { runOnly: rules }) }
  return frame.evaluate(async (chosen) => {
    const { violations } = await (window as unknown as AxeWindow).axe!.run(document, chosen)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, options)
}

/** Horizontal overflow of the page in both text directions. */
export async function overflowOf(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => {
    const { documentElement: root } = document
    const own = root.dir
    const found = ['ltr', 'rtl'].map((direction) => {
      root.dir = direction
      return root.scrollWidth - innerWidth
    })
    root.dir = own
    return Math.max(...found)
  })
  return pixels > 0 ? [`${pixels} px wider than the screen`] : []
}
