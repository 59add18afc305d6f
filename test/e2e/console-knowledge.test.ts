import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { sendPrompt } from '../support/api.ts'
import { launchBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { pdfOf } from '../support/pdf.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const PATIENCE_MS = 60_000
let server: TestServer
let browser: Browser
let origin: string
let owner: StaffClient

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const found = await consoleOf(server)
  origin = found.origin
  owner = new StaffClient(origin)
  await owner.enter(found.link)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** A browser of somebody who has just signed in, and what its page complained about. */
async function pageOf({ cookie }: StaffClient, viewport = { width: 1280, height: 800 }): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  const [name = '', value = ''] = (cookie ?? '').split('=')
  await context.addCookies([{ name, value, url: origin }])
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${origin}/#/knowledge`)
  await page.getByRole('heading', { name: 'Documents', exact: true }).waitFor()
  return { page, faults }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const answer = async (prompt: string) => ((await (await sendPrompt(server.url, 'me', prompt)).json()) as SendPromptReply).response

test('an editor uploads, edits, restores and deletes documents; another who saves at the same time sees both texts', async () => {
  const editor = await owner.colleague('editor')
  const { page, faults } = await pageOf(editor)
  const screens: Record<string, string[]> = {}
  const look = async (screen: string) => {
    screens[screen] = [...(await violationsIn(page)), ...(await overflowOf(page))]
    await page.emulateMedia({ colorScheme: 'dark' })
    screens[`${screen}, dark`] = await violationsIn(page, ['color-contrast'])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  const hostile = '<img src=x onerror="document.title=1">'
  const markdown = `# Zeppelins\n\n## How much is a zeppelin ride?\n\nA zeppelin ride costs 140 euros. ${hostile}\n`
  await page.getByLabel('Add documents', { exact: true }).setInputFiles([
    { name: 'zeppelin.md', mimeType: 'text/markdown', buffer: Buffer.from(markdown) },
    { name: 'hebrew.md', mimeType: 'text/markdown', buffer: Buffer.from('2320f9ed20eee7e9f80a', 'hex') },
    { name: `${hostile}.pdf`.replaceAll('/', ''), mimeType: 'application/pdf', buffer: pdfOf(['The harbour festival is in June.']) },
    { name: 'program.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ])
  await page.getByText('Files of this type can’t be read.').waitFor()
  await page.getByText('This file can’t be used. It is not written in UTF-8.').waitFor()
  await page.getByRole('link', { name: 'zeppelin.md' }).waitFor()
  await button(page, 'Ask about it').first().waitFor()
  await look('uploaded')
  await eventually(async () => expect(await answer('How much is a zeppelin ride?')).toContain('140 euros'))

  await page.getByRole('searchbox', { name: 'Search: Documents' }).fill('editor zeppelin')
  await page.getByText(/^1 of \d+$/).waitFor()
  await page.getByRole('link', { name: 'zeppelin.md' }).click()
  const text = page.getByRole('textbox', { name: 'Markdown' })
  await text.waitFor()
  await page.getByText('Preview').click()
  await page.getByRole('heading', { name: 'How much is a zeppelin ride?' }).waitFor()
  await look('document')
  const other = await pageOf(await owner.colleague('editor'), { width: 375, height: 720 })
  await other.page.getByRole('link', { name: 'zeppelin.md' }).click()
  await other.page.getByRole('textbox', { name: 'Markdown' }).waitFor()
  expect(await overflowOf(other.page)).toEqual([])
  await text.fill(markdown.replace('140', '150'))
  await button(page, 'Save as a new version').click()
  await page.getByText('Saved. It’s used in answers within a second.').waitFor()
  await eventually(async () => expect(await answer('How much is a zeppelin ride?')).toContain('150 euros'))

  const late = markdown.replace('140', '160')
  await other.page.getByRole('textbox', { name: 'Markdown' }).fill(late)
  await button(other.page, 'Save as a new version').click()
  const conflict = other.page.getByRole('alert').filter({ hasText: 'has saved something else meanwhile' })
  await conflict.getByText('150 euros').waitFor()
  await expect.poll(() => other.page.getByRole('textbox', { name: 'Markdown' }).inputValue()).toBe(late)
  expect([...(await violationsIn(other.page)), ...(await overflowOf(other.page))]).toEqual([])
  await button(other.page, 'Replace theirs').click()
  await other.page.getByRole('heading', { name: 'Version 3, published now' }).waitFor()

  await page.reload()
  await page.getByText('What changed since version 1').click()
  await page.locator('.diff .removed').getByText('140 euros').waitFor()
  await page.locator('.diff .added').getByText('160 euros').waitFor()
  await look('document, compared')
  await button(page, 'Roll back to version 1').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('heading', { name: 'Version 4, published now' }).waitFor()
  await expect.poll(() => text.inputValue()).toBe(markdown)
  await button(page, 'Delete the document').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Documents', exact: true }).waitFor()
  await page.getByRole('link', { name: 'zeppelin.md' }).waitFor({ state: 'detached' })
  expect(Object.entries(screens).filter(([, found]) => found.length > 0)).toEqual([])
  expect([...faults, ...other.faults]).toEqual([])
  expect(await page.title()).toBe('Documents · Console')
})

test('a reviewer sees the documents and changes none', async () => {
  const { page, faults } = await pageOf(await owner.colleague('reviewer'), { width: 375, height: 720 })
  await expect.poll(() => page.locator('main form').count()).toBe(0)
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1)
  expect([...(await violationsIn(page)), ...(await overflowOf(page)), ...faults]).toEqual([])
})
