import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Hand } from './first-minutes.ts'

/** More than any screen has, so that a trap ends a walk. */
const MAX_STOPS = 150

/** Uses the keyboard alone, and expects of each stop of Tab that it is seen. `stops` counts them. */
export function keyboardHand(page: Page): { hand: Hand; stops: () => number } {
  const { keyboard } = page
  // The browser reports choosers from some time after the first listener on.
  page.on('filechooser', () => undefined)
  let stops = 0
  const reach = async (target: Locator) => {
    await target.waitFor()
    for (let stop = 0; !(await target.evaluate((element) => element === document.activeElement)); stop += 1) {
      expect(stop, `stops of Tab before ${target.toString()}`).toBeLessThan(MAX_STOPS)
      await keyboard.press('Tab')
      expect(await faultOfFocus(page)).toBe('')
      stops += 1
    }
  }
  const hand: Hand = {
    async press(target) {
      await reach(target)
      await keyboard.press('Enter')
    },
    async type(target, text) {
      await reach(target)
      await keyboard.press('Control+A')
      await keyboard.type(text)
    },
    async choose(target, value) {
      await reach(target)
      for (let option = 0; (await target.inputValue()) !== value; option += 1) {
        expect(option, `options before ${value}`).toBeLessThan(MAX_STOPS)
        await keyboard.press('ArrowDown')
      }
    },
    async attach(target, file) {
      await reach(target)
      const chooser = page.waitForEvent('filechooser')
      await keyboard.press('Space')
      await (await chooser).setFiles([file])
    },
  }
  return { hand, stops: () => stops }
}

/** Faults of the focused element: it has no ring, lies outside of the window or below something else; empty if nothing. */
function faultOfFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    // Between the last element and the first one is the browser.
    if (!element || element === document.body) return ''
    const name = element.outerHTML.slice(0, 200)
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    if ((outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1) && boxShadow === 'none') return `no ring: ${name}`
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2]
    const found = document.elementFromPoint(x, y)
    return found && (element.contains(found) || found.contains(element)) ? '' : `hidden: ${name}`
  })
}
