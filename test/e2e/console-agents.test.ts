import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import { launchBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

let server: TestServer
let browser: Browser
let owner: StaffClient
let page: Page

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
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const openTab = (name: string) => page.getByRole('group', { name: 'Parts of the agent' }).getByRole('link', { name }).click()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const text = () => page.getByRole('textbox', { name: 'Text', exact: true })
const greeting = async (agent = 'town-hall') =>
  ((await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration).agents.find(({ id }) => id === agent)?.greeting

const screens: Record<string, string[]> = {}
/** Notes what is wrong with the page as it is, in two widths and in dark. */
const look = async (screen: string) => {
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 })
    screens[`${screen}, ${width}`] = [...(await violationsIn(page)), ...(await overflowOf(page))]
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  screens[`${screen}, dark`] = await violationsIn(page, ['color-contrast'])
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${screen}-375-dark.png`, fullPage: true })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  if (folder) await page.screenshot({ path: `${folder}/${screen}-1280-light.png`, fullPage: true })
}
const expectClean = () => expect(screens).toEqual(Object.fromEntries(Object.keys(screens).map((screen) => [screen, []])))

test('an editor creates an agent, corrects it, publishes it, and rolls back', async () => {
  await page.goto(`${owner.origin}/#/agents`)
  await page.getByRole('link', { name: 'Assistant' }).waitFor()
  await look('list, empty')
  await page.getByRole('textbox', { name: 'Id' }).fill('Town Hall')
  await button('Create').click()
  await page.getByText('Enter lowercase letters, digits and hyphens.').waitFor()
  await page.getByRole('textbox', { name: 'Id' }).fill('town-hall')
  await button('Create').click()
  await text().waitFor()
  const written = await text().inputValue()
  const version = (words: string) => written.replace(/^greeting: .*$/m, `greeting: ${words}`)

  await text().fill(version('').replace('knowledge:', 'knowledges:'))
  await button('Save draft').click()
  await page.getByText('knowledges is no key of an agent').waitFor()
  await expect.poll(() => button('Publish').isDisabled()).toBe(true)
  await look('agent, with mistakes')
  await text().fill(version('Hi'))
  await page.getByRole('textbox', { name: 'Model' }).fill('large')
  await button('Check').click()
  await page
    .locator('.field', { has: page.getByRole('textbox', { name: 'Model' }) })
    .getByText('model can only be builtin')
    .waitFor()
  await look('agent, with a mistake at a field')
  await page.getByRole('textbox', { name: 'Model' }).fill('')
  await page.getByRole('textbox', { name: 'Greeting' }).fill('Welcome to the town hall')
  await expect.poll(() => text().inputValue()).toBe(version('Welcome to the town hall'))
  await button('Save draft').click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await button('Publish').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await openTab('Versions')
  await page.getByRole('heading', { name: 'Version 1, published now' }).waitFor()
  await look('agent, its versions')
  await openTab('Settings')
  await eventually(async () => expect(await greeting()).toBe('Welcome to the town hall'))

  await text().fill(version('Mine'))
  await page.getByText('What changed since version 1').click()
  await page.locator('.diff .added').getByText('greeting: Mine').waitFor()
  const { body } = await owner.call<{ managed: { draft: { revision: number } } }>('GET', 'agents/town-hall')
  await owner.call('POST', 'agents/town-hall/draft', { text: version('Theirs'), basedOn: body.managed.draft.revision })
  await button('Save draft').click()
  await page.getByRole('alert').filter({ hasText: 'has saved something else meanwhile' }).waitFor()
  await expect.poll(() => text().inputValue()).toBe(version('Mine'))
  await page.getByRole('alert').locator('.removed').getByText('greeting: Theirs').waitFor()
  await look('agent, in conflict')
  await button('Replace theirs').click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await button('Publish').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await openTab('Versions')
  await page.getByRole('heading', { name: 'Version 2, published now' }).waitFor()
  await eventually(async () => expect(await greeting()).toBe('Mine'))

  await button('Roll back to version 1').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('heading', { name: 'Version 3, published now' }).waitFor()
  await eventually(async () => expect(await greeting()).toBe('Welcome to the town hall'))
  await look('agent, rolled back')

  await page.goto(`${owner.origin}/#/agents/assistant`)
  await page.getByText('From a file').waitFor()
  await button('Edit here').click()
  await expect.poll(() => text().inputValue()).toContain('id: assistant')
  await page.getByText('Published nothing').waitFor()
  await look('taken over, as a draft')
  await text().fill((await text().inputValue()).replace(/^greeting: .*$/m, 'greeting: Hello from the console'))
  await button('Publish').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await eventually(async () => expect(await greeting('assistant')).toBe('Hello from the console'))
  await page.getByText('The console’s version is live instead of this file.').waitFor()
  await look('taken over')
  await button('Go back to the file').click()
  await eventually(async () => expect(await greeting('assistant')).not.toBe('Hello from the console'))
  expectClean()
})

test('an editor adds cases, evaluates the draft and asks it; an owner publishes it although a case is wrong', async () => {
  const hostile = '<img src=x onerror="document.title=1"> **bold** [link](javascript:alert(1))'
  const policy = `policy:\n  routes:\n    - id: vault\n      keywords: [vault]\n      reply: '${hostile}'\n`
  const draft = `---\nname: Help\ngreeting: Hi\nknowledge: [.]\n${policy}---\nAnswer.\n`
  await owner.call('POST', 'agents', { id: 'help', text: draft.replace('[.]', '[]') })
  await owner.call('POST', 'agents/help/publication', { revision: 1 })
  await owner.call('POST', 'agents/help/draft', { text: draft, basedOn: 1 })
  await page.goto(`${owner.origin}/#/agents/help/evaluation`)
  await page.getByText('not evaluated: there are no cases').waitFor()
  const addCase = async (question: string, contains: string) => {
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill(question)
    await page.getByRole('textbox', { name: 'The answer must contain (optional)' }).fill(contains)
    await page.getByRole('textbox', { name: 'It must cite (optional)' }).fill('privacy.md')
    await button('Add case').click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('form[aria-label="Add a case"] input')?.value === '')
  }
  await button('Add case').click()
  await page.getByText('Enter a question.').waitFor()
  await addCase('How long are my chats kept?', '30 days')
  await page.getByText('The case as text').waitFor()
  await button('Evaluate the draft').click()
  await page.getByText('1 of 1 cases right.', { exact: true }).waitFor()
  await look('evaluation, passed')
  await addCase('Which cookies are used?', 'no such word')
  await page.getByText('All 2 cases as text').click()
  await page.getByRole('textbox', { name: 'Cases', exact: true }).waitFor()
  await button('Evaluate the draft').click()
  await page.getByText('1 of 2 cases right.', { exact: true }).waitFor()
  await page.getByText('lacks "no such word"').waitFor()
  await look('evaluation, failed')

  await page.getByRole('textbox', { name: 'Ask the draft' }).fill('What is in the vault?')
  await page.getByRole('form', { name: 'Ask the draft' }).getByRole('button', { name: 'Ask', exact: true }).click()
  const exchange = page.locator('.exchange').first()
  await exchange.getByText('<img src=x onerror="document.title=1">').waitFor()
  await exchange.getByText('(javascript:alert(1))').waitFor()
  await expect.poll(() => page.locator('main img, main a[href^="javascript"]').count()).toBe(0)
  await page.getByRole('textbox', { name: 'Ask the draft' }).fill('How long are my chats kept?')
  await page.getByRole('form', { name: 'Ask the draft' }).getByRole('button', { name: 'Ask', exact: true }).click()
  await page.locator('.exchange').nth(1).getByText('Answered with sources').waitFor()
  await look('trial')

  await openTab('Settings')
  await button('Publish').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.getByText('Wrong: “Which cookies are used?”').waitFor()
  await look('publication, rejected')
  await dialog.getByRole('button', { name: 'Publish anyway' }).click()
  await openTab('Versions')
  await page.getByRole('heading', { name: 'Version 2, published now' }).waitFor()
  await page.getByText('Evaluated: 1 of 2 cases right.').waitFor()
  expectClean()
})
