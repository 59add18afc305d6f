import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { KnowledgeView } from '../../src/contract/staff/content/knowledge.ts'
import { sendPrompt } from '../support/api.ts'
import { launchBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { storeTopic } from '../support/stored-topics.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const SIZES = [1280, 375]
let server: TestServer
let browser: Browser
let context: BrowserContext
let owner: StaffClient
let page: Page
const faults: string[] = []

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await signIn(owner)
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text())
  })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

async function signIn({ cookie, origin }: StaffClient): Promise<void> {
  const [name = '', value = ''] = cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const ask = async (prompt: string) => (await (await sendPrompt(server.url, 'me', prompt)).json()) as SendPromptReply
/** Whether a document is in use. Asking for it instead would make prompts without an answer. */
async function stateOf(name: string): Promise<string | undefined> {
  const { body } = await owner.call<KnowledgeView>('GET', 'knowledge')
  return body.documents.find(({ file }) => file.endsWith(name))?.state
}
const openTopic = async (topic: string) => {
  await page.goto(`${owner.origin}/#/questions`)
  await page.reload()
  await page.getByRole('heading', { name: topic, exact: true }).waitFor()
}

/** Faults in how a screen looks, in both sizes and themes. */
async function lookAt(screen: string): Promise<string[]> {
  const found: string[] = []
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const problems = [...(await violationsIn(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)), ...(await overflowOf(page))]
      found.push(...problems.map((problem) => `${screen}, ${width}, ${colorScheme}: ${problem}`))
      const folder = process.env['SCREENSHOTS']
      if (folder) await page.screenshot({ path: `${folder}/${screen}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

test('an editor sees which passages missed, writes one, and dismisses the topic', async () => {
  const looks: string[] = []
  await owner.call(
    'POST',
    'knowledge/uploads?name=zeppelins.md&owner=Airfield',
    Buffer.from('# Zeppelins\n\n## Who flies zeppelins?\n\nThe airfield does.\n'),
  )
  await eventually(async () => expect(await stateOf('zeppelins.md')).toBe('answers'))
  await storeTopic(server, 'zeppelin breakfast')
  await openTopic('zeppelin breakfast')
  await page.getByText('5 prompts of 5 visitors: 5 not covered.').waitFor()
  await page.getByText('A topic on 1 of the last 30 days').waitFor()
  await page.getByText('Nearest passages', { exact: true }).click()
  const nearest = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Zeppelins › Who flies zeppelins?' }) })
    .last()
  await nearest.getByText(/Not used: .+ Score 100%; contains \d+% of the words\./).waitFor()
  await nearest.getByText('Text', { exact: true }).click()
  await nearest.getByText('The airfield does.').waitFor()
  looks.push(...(await lookAt('topic-passages')))

  await link('Add to the knowledge').click()
  await page.getByText('Visitors of the topic wrote: zeppelin breakfast.').waitFor()
  await expect.poll(() => field('Markdown').inputValue()).toBe('# Zeppelin breakfast\n\n')
  await button('Save').click()
  await page.getByText('Write something below a heading.').waitFor()
  await page.getByText('Details', { exact: true }).click()
  await field('Name').fill('zeppelins.pdf')
  await page.getByText('Enter a name that ends in .md.').waitFor()
  await field('Name').fill('zeppelins.md')
  await field('Owner').fill('Airfield')
  await field('Markdown').fill('# Zeppelin breakfast\n\nBreakfast is served on the zeppelin at *nine*. <img src=x onerror=alert(1)>\n')
  await page.getByText('Preview', { exact: true }).click()
  await page.locator('.preview').getByText('<img src=x').waitFor()
  await button('Save').click()
  await expect.poll(() => field('Name').getAttribute('aria-invalid')).toBe('true')
  looks.push(...(await lookAt('new-document')))
  await field('Name').fill('zeppelin-breakfast.md')
  await button('Save').click()
  await page.getByRole('heading', { name: 'zeppelin-breakfast.md', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Version 1, published now' }).waitFor()
  await eventually(async () => expect((await ask('zeppelin breakfast')).response).toContain('at *nine*'))
  for (const prompt of ['zeppelin breakfast', 'Zeppelin breakfast?']) expect((await ask(prompt)).state).toBe('answered')
  await page.goto(`${owner.origin}/#/questions`)
  await button('Dismiss: zeppelin breakfast').click()
  await page.getByText('Not enough visitors yet.').waitFor()
  expect(looks).toEqual([])
  expect(faults).toEqual([])
})

test('a document is written without a topic, and a reviewer sees passages and no actions', async () => {
  await page.goto(`${owner.origin}/#/knowledge`)
  await link('Write a document').click()
  await expect.poll(() => field('Markdown').inputValue()).toBe('')
  await field('Markdown').fill('# رحلات المنطاد\n\nتبدأ الرحلات عند الظهر.\n')
  await page.getByText('Details', { exact: true }).click()
  await expect.poll(() => field('Name').inputValue()).toBe('رحلات-المنطاد.md')
  expect(await lookAt('new-document-right-to-left')).toEqual([])
  await field('Owner').fill('Airfield')
  await button('Save').click()
  await page.getByRole('heading', { name: 'رحلات-المنطاد.md', exact: true }).waitFor()

  await storeTopic(server, 'balloon parade')
  await signIn(await owner.colleague('reviewer'))
  await openTopic('balloon parade')
  await page.getByText('Nearest passages', { exact: true }).click()
  await page.getByText(/Found for the words that five visitors have in common/).waitFor()
  for (const name of ['Write the answer', 'Add to the knowledge']) await expect.poll(() => link(name).count()).toBe(0)
  await page.goto(`${owner.origin}/#/knowledge/new`)
  await page.getByText('Your role does not allow this.').waitFor()
  await page.goto(`${owner.origin}/#/approved/+`)
  await page.getByText('Your role does not allow this.').waitFor()
  expect(faults).toEqual([])
})
