import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const PATIENCE_MS = 60_000
/** Where pictures of the screens go, to look at them; nowhere by default. */
const PICTURES = process.env['CONSOLE_PICTURES']
const SIZES = { phone: { width: 375, height: 720 }, desk: { width: 1280, height: 800 } }

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, BUDGET_PER_DAY: '5' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const open = (page: Page, screen: string) => page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click()

test('an owner looks at limits, privacy, the system and sessions', async () => {
  const { origin, link } = await consoleOf(server)
  const context = await browser.newContext({ viewport: SIZES.desk, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const found: Record<string, string[]> = {}
  const look = async (screen: string) => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const name = `${screen}-${size}-${colorScheme}`
        found[name] = [...(await violationsIn(page)), ...(await overflowOf(page))]
        if (PICTURES === undefined) continue
        mkdirSync(PICTURES, { recursive: true })
        await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.goto(`${origin}/#/enter/${link}`)
  await button(page, 'Later').click()
  await open(page, 'Your account')
  await page.getByText(', this session').waitFor()
  await look('account')

  await open(page, 'Limits and budget')
  await page.getByRole('table', { name: 'Limits' }).waitFor()
  await look('limits')

  await open(page, 'Privacy')
  await page.getByRole('heading', { name: 'Who read what' }).waitFor()
  await look('privacy')

  await open(page, 'System')
  await page.getByText('No answer has used a model').waitFor()
  await look('system')
  await open(page, 'Overview')
  await page.getByText('Budget today').waitFor()
  await look('overview')
  await open(page, 'Staff')
  await page.getByText('1 session').first().waitFor()
  await look('staff')
  expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([])
})
