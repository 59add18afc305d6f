import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HeldPages } from '../../src/contract/staff/content/held-pages.ts'
import type { KnowledgeView } from '../../src/contract/staff/content/knowledge.ts'
import { launchBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { sitePage, startWebsite, type Website } from '../support/website.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const PATIENCE_MS = 60_000
/** Where pictures of the screens go, to look at them; nowhere by default. */
const PICTURES = process.env['CONSOLE_PICTURES']
const SIZES = { phone: { width: 375, height: 720 }, desk: { width: 1280, height: 800 } }
const PATHS = Array.from({ length: 10 }, (_, index) => `/services/${index}`)
const HOSTILE = '<img src=x onerror="document.title=1">'
const LONG = `/${'very-long-name-of-a-page-'.repeat(20)}`
const HELD = 'knowledge/websites/town/held-pages'

const directory = mkdtempSync(join(tmpdir(), 'parley-held-pages-'))
let site: Website
let server: TestServer
let browser: Browser
let origin: string
let owner: StaffClient
beforeAll(async () => {
  site = await startWebsite()
  for (const path of PATHS) site.pages.set(path, sitePage(`subject ${path}`))
  site.list(PATHS)
  mkdirSync(join(directory, 'knowledge'))
  const keys = `    website: ${site.url}/sitemap.xml\n    network: private\n    delay: 0\n`
  writeFileSync(join(directory, 'knowledge/sources.yaml'), `sources:\n  - id: town\n${keys}`)
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, KNOWLEDGE_DIR: join(directory, 'knowledge') } })
  const found = await consoleOf(server)
  origin = found.origin
  owner = new StaffClient(origin)
  await owner.enter(found.link)
  const website = async () => (await owner.call<KnowledgeView>('GET', 'knowledge')).body.websites[0]
  await eventually(async () => expect(await website()).toMatchObject({ lastRun: { outcome: 'done' } }), PATIENCE_MS)
  site.pages.set('/services/1', sitePage(`changed ${HOSTILE.replaceAll('<', '&lt;')}`))
  site.pages.set('/services/2', sitePage('subject /services/2').replace('</main>', '<p dir="rtl">مرحبا بكم في المكتبة</p></main>'))
  site.pages.delete('/services/4')
  site.pages.set(LONG, sitePage('a new page'))
  site.list([...PATHS.filter((path) => path !== '/services/4'), LONG])
  await owner.call('POST', 'knowledge/websites/town/actions', { action: 'sync' })
  await eventually(async () => expect(await website()).toMatchObject({ holdsPages: true }), PATIENCE_MS)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await site.close()
  rmSync(directory, { recursive: true })
})

async function pageOf({ cookie }: StaffClient): Promise<{ page: Page; faults: string[]; look: (screen: string) => Promise<string[]> }> {
  const context = await browser.newContext({ viewport: SIZES.desk, reducedMotion: 'reduce' })
  const [name = '', value = ''] = (cookie ?? '').split('=')
  await context.addCookies([{ name, value, url: origin }])
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text())
  })
  const look = async (screen: string) => {
    const found: string[] = []
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        found.push(...(await violationsIn(page)), ...(await overflowOf(page)))
        if (PICTURES === undefined) continue
        mkdirSync(PICTURES, { recursive: true })
        await page.screenshot({ path: join(PICTURES, `${screen}-${size}-${colorScheme}.png`), fullPage: true })
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    return found
  }
  await page.goto(`${origin}/#/websites`)
  await page.getByRole('link', { name: 'Review each held page: town' }).click()
  await page.getByText('4 of 4').waitFor()
  await page.getByTitle('Needs attention (1)').getByText('Websites').waitFor()
  return { page, faults, look }
}

const card = (page: Page, path: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: site.url + path, exact: true }) })
const apply = async (page: Page) => {
  await page.getByRole('button', { name: /^Apply \d+ decisions?$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
}

test('a reviewer sees what would change and decides nothing; an editor decides; another editor who saw it before loses no choice', async () => {
  const reviewer = await pageOf(await owner.colleague('reviewer'))
  expect(await reviewer.page.getByRole('radio').count()).toBe(0)
  await card(reviewer.page, '/services/1').getByText('What would change').click()
  await reviewer.page.locator('.diff .removed').getByText('Title: subject /services/1').waitFor()
  await reviewer.page.locator('.diff .added').getByText(`Title: changed ${HOSTILE}`).waitFor()

  const { page, faults, look } = await pageOf(await owner.colleague('editor'))
  const other = await pageOf(await owner.colleague('editor'))
  const found: string[] = []
  for (const path of ['/services/1', '/services/2']) await card(page, path).getByText('What would change').click()
  await card(page, LONG).getByText('The new text').click()
  await card(page, '/services/4').getByText('The text in use').click()
  await page.getByText('مرحبا').waitFor()
  await page.getByText('Title: subject /services/4').waitFor()
  found.push(...(await look('held-pages')))
  // The other one chooses meanwhile.
  await card(other.page, '/services/1').getByRole('radio', { name: 'Keep the earlier page' }).check()
  await card(other.page, '/services/4').getByRole('radio', { name: 'Accept: no longer use it' }).check()
  await card(page, '/services/1').getByRole('radio', { name: 'Accept: use the new text' }).check()
  await page.getByText('1 chosen.').waitFor()
  await page.getByRole('button', { name: 'Apply 1 decision' }).click()
  found.push(...(await look('held-pages-confirm')))
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 pages accepted, 0 kept, 3 wait').waitFor()
  await page.getByText('3 of 3').waitFor()

  await apply(other.page)
  await other.page
    .getByRole('dialog')
    .getByText(/Someone else has changed this.*\/services\/1/)
    .waitFor()
  found.push(...(await other.look('held-pages-conflict')))
  await other.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await other.page.getByText('3 of 3').waitFor()
  await other.page.getByText('1 chosen.').waitFor()
  expect(await card(other.page, '/services/4').getByRole('radio', { name: 'Accept: no longer use it' }).isChecked()).toBe(true)
  await apply(other.page)
  await other.page.getByText('1 pages accepted, 0 kept, 2 wait').waitFor()
  await other.page.getByRole('button', { name: 'Choose “Keep” for all shown' }).click()
  await apply(other.page)
  await other.page.getByText('Nothing waits for a decision.').waitFor()
  found.push(...(await other.look('held-pages-none')))
  expect((await owner.call<HeldPages>('GET', HELD)).body).toEqual({ pages: [], total: 0 })
  expect([...found, ...faults, ...reviewer.faults, ...other.faults]).toEqual([])
  expect(await page.title()).toBe('Websites · Console')
})
