import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { openConsoleTour } from './console-tour-pages.ts'
import { walkFirstMinutes } from './first-minutes.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 320, height: 568 },
]

test('an unanswered question is mended in at most 20 interactions from the first link on, and each screen is accessible', async () => {
  const server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  try {
    const { origin, link } = await consoleOf(server)
    expect(server.output()).toContain('The console link works once, for 10 minutes.')
    await withBrowser(async (browser) => {
      const { staff, visitor } = await openConsoleTour(browser)
      const faults: Record<string, string[]> = {}
      const look = async (screen: string) => {
        const found = await faultsOf(staff)
        if (found.length > 0) faults[screen] = found
      }
      const count = await walkFirstMinutes({ staff, visitor, link: `${origin}/#/enter/${link}`, chat: `${server.url}/`, look })
      expect(count).toBeLessThanOrEqual(20)
      expect(faults).toEqual({})
    })
  } finally {
    await server.stop()
  }
})

/** What axe finds and what is too wide, on a desk and on a small phone. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  const before = page.viewportSize()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    faults.push(...(await violationsIn(page)), ...(await overflowOf(page)))
  }
  if (before) await page.setViewportSize(before)
  return faults
}
