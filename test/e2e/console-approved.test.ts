import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { ApprovedAnswerView } from '../../src/contract/staff/content/approved-answers.ts'
import { sendPrompt } from '../support/api.ts'
import { launchBrowser } from '../support/chromium.ts'
import { storeTopic } from '../support/stored-topics.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

let server: TestServer
let browser: Browser
let owner: StaffClient
let page: Page
const faults: string[] = []

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const [name = '', value = ''] = owner.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
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

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const ask = async (prompt: string) => (await (await sendPrompt(server.url, 'me', prompt)).json()) as SendPromptReply
const topics = () => page.getByRole('heading', { level: 3 })

test('an editor answers a topic without an answer, with an approved answer', async () => {
  const screens: Record<string, string[]> = {}
  const look = async (screen: string) => {
    const folder = process.env['SCREENSHOTS']
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        screens[`${screen}, ${width}, ${colorScheme}`] = [
          ...(await violationsIn(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)),
          ...(await overflowOf(page)),
        ]
        if (folder) await page.screenshot({ path: `${folder}/${screen}-${width}-${colorScheme}.png`, fullPage: true })
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  await storeTopic(server, 'zeppelin rides')
  await page.goto(`${owner.origin}/#/approved`)
  await page.getByText('None.', { exact: true }).waitFor()
  await page.getByText('There is no embedding model').waitFor()
  await look('list-empty')
  await page.goto(`${owner.origin}/#/questions`)
  await topics().getByText('zeppelin rides').waitFor()
  await look('questions')
  await page.getByRole('link', { name: 'Write the answer' }).click()
  await page.getByText('Visitors of the topic wrote: zeppelin rides').waitFor()
  await expect.poll(() => field('Question').inputValue()).toBe('zeppelin rides')
  await field('Id').fill('Zeppelin Rides')
  await field('Owner').fill('')
  await button('Save as a draft').click()
  await page.getByText('Enter lowercase letters, digits and hyphens.').waitFor()
  await field('Id').fill('zeppelin-rides')
  await look('new')
  await button('Save as a draft').click()

  await page.getByText('Problems stop it from being published: Answer, Source, and Owner').waitFor()
  await page.getByText('Must name who answers for it.').waitFor()
  await expect.poll(() => button('Publish').isDisabled()).toBe(true)
  await look('problems')
  await field('Owner').fill('Airfield')
  await field('Source').fill('Timetable')
  await field('Answer').fill('Rides start at **noon** <img src=x onerror=alert(1)>.')
  await field('Other wordings').fill('When do zeppelin rides start?\n\nI want a zeppelin ride\nZeppelins')
  await field('Must not match').fill('What do zeppelin rides cost?\nzeppelin rides')
  await button('Check').click()
  await page.getByText('Is one of its wordings.').waitFor()
  await field('Must not match').fill('What do zeppelin rides cost?')
  await button('Save draft').click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByText('Preview', { exact: true }).click()
  await page.locator('.preview').getByText('<img src=x').waitFor()
  await button('Publish').click()
  expect(await dialog().getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
  await look('single-word')
  await dialog().getByRole('checkbox', { name: 'Anyone who types only “Zeppelins” gets this answer' }).check()
  await dialog().getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: 'Version 1, published now' }).waitFor()
  await look('published')

  for (const prompt of ['zeppelin rides', 'when do zeppelin rides start', 'I want a zeppelin ride!'])
    expect(await ask(prompt)).toMatchObject({ state: 'answered', response: expect.stringContaining('**noon**') })
  await page.goto(`${owner.origin}/#/questions`)
  await page.getByRole('heading', { name: 'Asked by visitors' }).waitFor()
  await page.goto(`${owner.origin}/#/approved/zeppelin-rides`)
  await page.getByText('Details', { exact: true }).click()
  await field('Owner').fill('Mine')
  const { managed } = (await owner.call<ApprovedAnswerView>('GET', 'approved-answers/zeppelin-rides')).body
  const theirs = { ...managed!.draft.content, owner: 'Theirs' }
  await owner.call('POST', 'approved-answers/zeppelin-rides/draft', { content: theirs, basedOn: managed!.draft.revision })
  await button('Save draft').click()
  await page.getByRole('alert').filter({ hasText: 'has saved something else meanwhile' }).waitFor()
  await expect.poll(() => field('Owner').inputValue()).toBe('Mine')
  await page.getByRole('alert').locator('.removed').getByText('Owner: Theirs').waitFor()
  await look('conflict')
  await button('Replace theirs').click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await button('Publish').click()
  await dialog().getByRole('checkbox').check()
  await dialog().getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: 'Version 2, published now' }).waitFor()
  await button('Roll back to version 1').click()
  await dialog().getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('heading', { name: 'Version 3, published now' }).waitFor()
  await page.goto(`${owner.origin}/#/approved`)
  await page.getByText('live, version 3, the draft has changes').waitFor()
  await look('list')
  expect(screens).toEqual(Object.fromEntries(Object.keys(screens).map((screen) => [screen, []])))
  expect(faults).toEqual([])
})
