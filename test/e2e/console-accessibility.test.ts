import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

/** A window of 1280 × 1024 at 200 and 400 %. */
const ZOOMED = [
  { width: 640, height: 512 },
  { width: 320, height: 256 },
]
const ADAPTED = [{ forcedColors: 'active' }, { contrast: 'more' }] as const
const USUAL = { forcedColors: 'none', contrast: 'no-preference' } as const

let server: TestServer
let browser: Browser
let page: Page
beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  await owner.call('POST', 'agents', { id: 'pool', text: '---\nname: Pool\ngreeting: Hi\nknowledge: [.]\n---\nAnswer.\n' })
  browser = await launchBrowser()
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const [name = '', value = ''] = owner.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: origin }])
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(origin)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** Roles of what the accessibility tree can focus without giving it a name. */
async function namelessIn(): Promise<string[]> {
  const tools = await page.context().newCDPSession(page)
  const { nodes } = await tools.send('Accessibility.getFullAXTree')
  await tools.detach()
  const isFocusable = ({ ignored, properties = [] }: (typeof nodes)[number]) =>
    !ignored && properties.some(({ name, value }) => name === 'focusable' && value.value === true)
  return nodes
    .filter((node) => isFocusable(node) && node.role?.value !== 'RootWebArea' && !node.name?.value)
    .map(({ role }) => String(role?.value))
}

test('each screen of the console fits at 200 and 400 %, in forced colours and with more contrast, and names what takes the focus', async () => {
  const links = page.getByRole('navigation').getByRole('link', { includeHidden: true })
  await links.first().waitFor()
  const screens = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  expect(screens.length).toBeGreaterThan(13)
  const faults: Record<string, string[]> = {}
  for (const screen of [...screens, '#/agents/pool']) {
    await page.evaluate((hash) => (location.hash = hash), screen)
    const link = screen.split('/').slice(0, 2).join('/')
    await page.locator(`nav [aria-current=page][href="${link}"]`).waitFor({ state: 'attached' })
    await expect.poll(() => page.locator('main .muted', { hasText: /^Loading$/ }).count()).toBe(0)
    const found = await namelessIn()
    for (const size of ZOOMED) {
      await page.setViewportSize(size)
      found.push(...(await violationsIn(page)), ...(await overflowOf(page)))
    }
    for (const media of ADAPTED) {
      await page.emulateMedia(media)
      found.push(...(await violationsIn(page)))
      await page.emulateMedia(USUAL)
    }
    if (found.length > 0) faults[screen] = found
  }
  expect(faults).toEqual({})
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})
