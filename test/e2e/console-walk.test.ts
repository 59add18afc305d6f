import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import { openConsoleTour } from './console-tour-pages.ts'
import { tourConsole } from './tour-console.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, TRUSTED_PROXIES: '127.0.0.1' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

test('somebody new publishes an evaluated agent, and answers a question without an answer, without documentation', async () => {
  const { staff, visitor } = await openConsoleTour(browser)
  const faults: Record<string, string[]> = {}
  const lookAt = (page: Page) => async (screen: string) => {
    const found = [...(await violationsIn(page)), ...(await overflowOf(page))]
    if (found.length > 0) faults[screen] = found
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/${screen}.png`, fullPage: true })
  }
  await tourConsole({ server, ...(await consoleOf(server)), staff, visitor, look: lookAt(staff), lookAtVisitor: lookAt(visitor) })
  expect(faults).toEqual({})
})
