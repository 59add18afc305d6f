import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

let server: TestServer
let browser: Browser
let owner: StaffClient
let page: Page

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, BUDGET_PER_DAY: '5' } })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const [name = '', value = ''] = owner.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const filter = (table: string) => page.getByRole('searchbox', { name: `Search: ${table}`, exact: true })
const cellsOf = (table: string, column: number) =>
  page.getByRole('group', { name: table, exact: true }).locator(`tbody tr > :nth-child(${column})`)

async function created(path: string, body: object): Promise<void> {
  expect(await owner.call('POST', path, body)).toMatchObject({ status: 200 })
}

test('a table is filtered and ordered', async () => {
  for (const name of ['Library', 'Town hall', '=1+1', 'Museum', 'Harbour', 'Airfield'])
    await created('agents', {
      id: `agent-${name.toLowerCase().replaceAll(/[^a-z]+/g, '')}`,
      text: `---\nname: "${name}"\ngreeting: Hi\nknowledge: [.]\n---\nAnswer.\n`,
    })
  await page.goto(`${owner.origin}/#/agents`)
  const names = () => page.getByRole('rowheader').allInnerTexts()
  await expect.poll(async () => (await names()).length).toBe(7)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.getByRole('button', { name: /^Name/ }).click()
  await expect.poll(names).toEqual(['Town hall', 'Museum', 'Library', 'Harbour', 'Assistant', 'Airfield', '=1+1'])
  await filter('Agents').fill('AGENT- draft y')
  await expect.poll(names).toEqual(['Library'])
  await filter('Agents').fill('1+1')
  await page.getByText('1 of 7', { exact: true }).waitFor()
  await filter('Agents').fill('no such agent')
  await page.getByText('0 of 7', { exact: true }).waitFor()
})

test('the audit log is chosen by area', async () => {
  await created('stops', { scope: 'topic', target: 'parking permit', reason: 'wrong fee' })
  await created('stops', { scope: 'topic', target: 'dog tax', reason: 'outdated' })
  await page.goto(`${owner.origin}/#/audit`)
  await page.getByRole('link', { name: 'Agents', exact: true }).last().click()
  await page.getByRole('link', { name: 'Agents', exact: true }).and(page.locator('[aria-current=true]')).waitFor()
  await expect.poll(() => cellsOf('Entries', 4).first().innerText()).toBe('created an agent')
  expect(await page.getByRole('link', { name: 'Download CSV: Entries' }).getAttribute('href')).toBe('/api/staff/v1/audit.csv?area=agent')
  const shared = page.url()
  await page.goto('about:blank')
  await page.goto(shared)
  await expect.poll(() => cellsOf('Entries', 4).first().innerText()).toBe('created an agent')

  await page.goto(`${owner.origin}/#/audit`)
  await filter('Entries').fill('stopped')
  await expect.poll(() => cellsOf('Entries', 4).allInnerTexts()).toEqual(['stopped answers', 'stopped answers'])
})

test('limits are found by words', async () => {
  await page.goto(`${owner.origin}/#/limits`)
  await filter('Limits').fill('running process')
  await expect
    .poll(() => cellsOf('Limits', 1).allInnerTexts())
    .toEqual([expect.stringMatching(/^Running answers per process\s+MAX_RUNNING_TURNS$/)])
})

test('every list is clean on a phone and a desk, in both themes', async () => {
  for (const name of ['=Report', 'Monthly']) await created('tokens', { name, scopes: ['read:figures'], days: 9 })
  await owner.colleague('viewer')
  const faults: Record<string, string[]> = {}
  const folder = process.env['SCREENSHOTS']
  for (const [screen, list] of Object.entries({
    agents: 'Agents',
    feedback: 'Reports',
    stop: 'Stops',
    limits: 'Limits',
    staff: 'Staff',
    audit: 'Entries',
  })) {
    await page.goto(`${owner.origin}/#/${screen}`)
    await page.getByLabel(list, { exact: true }).first().waitFor()
    for (const width of [1280, 375])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        const found = [...(await violationsIn(page)), ...(await overflowOf(page))]
        if (found.length > 0) faults[`${screen}, ${width}, ${colorScheme}`] = found
        if (folder) await page.screenshot({ path: `${folder}/tables-${screen}-${width}-${colorScheme}.png`, fullPage: true })
      }
  }
  expect(faults).toEqual({})
})

test('a table that is wider than a phone shows that there is more', async () => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`${owner.origin}/#/audit`)
  const table = page.getByRole('group', { name: 'Entries', exact: true })
  await table.waitFor()
  const facts = await table.evaluate((element) => [
    element.scrollWidth > element.clientWidth,
    getComputedStyle(element).backgroundAttachment,
    getComputedStyle(element).backgroundImage.split('linear-gradient').length - 1,
  ])
  expect(facts).toEqual([true, 'local, local, scroll, scroll', 4])
})

test('somebody who removes themselves is told what that ends', async () => {
  await page.goto(`${owner.origin}/#/staff`)
  const me = page.getByRole('listitem').filter({ hasText: '(you)' }).first()
  await me.getByRole('button', { name: 'Remove', exact: true }).click()
  expect(await page.getByRole('dialog').innerText()).toContain('You’ll be signed out at once.')
})
