import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendPrompt } from '../support/api.ts'
import { launchBrowser } from '../support/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { storeTopic } from '../support/stored-topics.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { openStaffPage } from './console-tour-pages.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import { reloadUntil } from './reload-until.ts'

let server: TestServer
let browser: Browser
let origin: string
let link: string

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, TRUSTED_PROXIES: '127.0.0.1', BUDGET_PER_DAY: '5' } })
  ;({ origin, link } = await consoleOf(server))
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** A browser with an authenticator, and what its page complained about. */
async function newPage(viewport = { width: 1280, height: 800 }): Promise<{ page: Page; faults: string[] }> {
  const page = await openStaffPage(browser, viewport)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) faults.push(message.text())
  })
  return { page, faults }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const open = (page: Page, screen: string) => page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click()
const answer = async (prompt: string) => (await (await sendPrompt(server.url, 'me', prompt)).json()) as { response: string; state: string }

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name of the device' }).fill(name)
  await button(page, 'Add a passkey').click()
  await page.getByText('First steps').waitFor()
}

test('the first owner enters by the link, adds a passkey, stops a topic and invites a colleague', async () => {
  const { page, faults } = await newPage()
  const screens: Record<string, string[]> = {}
  const look = async (screen: string) => {
    screens[screen] = [...(await violationsIn(page)), ...(await overflowOf(page))]
    await page.emulateMedia({ colorScheme: 'dark' })
    screens[`${screen}, dark`] = await violationsIn(page, ['color-contrast'])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.goto(`${origin}/#/enter/${link}`)
  await page.getByText('Add a passkey, so that you can come back').waitFor()
  expect(page.url()).not.toContain(link)
  await look('welcome')
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace')
  await button(page, 'Save').click()
  await page.getByRole('textbox', { name: 'Your name' }).waitFor({ state: 'detached' })
  await addPasskey(page, 'Work laptop')
  await button(page, 'Sign out').click()
  await button(page, 'Sign in with a passkey').waitFor()
  await look('sign-in')
  await button(page, 'Sign in with a passkey').click()
  await open(page, 'Your account')
  await page.getByRole('heading', { name: 'Work laptop' }).waitFor()
  await page.getByText('last used').waitFor()
  await page.getByText('You are Ada Lovelace, Owner.').waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada King')
  await button(page, 'Save').click()
  await page.getByText('You are Ada King, Owner.').waitFor()
  await look('account')

  await open(page, 'Stops and banner')
  await page.getByText('Nothing is stopped.').waitFor()
  await button(page, 'Stop answers').click()
  await page.getByText('Enter the words of the topic.').waitFor()
  await page.getByText('Enter a reason.').waitFor()
  await look('stop, with mistakes')
  await page.getByRole('textbox', { name: 'Words of the topic' }).fill('parking permit')
  await page.getByRole('textbox', { name: 'Text for visitors (optional)' }).fill('Please call us about permits.')
  await page.getByRole('textbox', { name: 'Reason' }).fill('wrong fee')
  await button(page, 'Stop answers').click()
  await dialog(page).waitFor()
  await look('stop, asking')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('wrong fee')
  await button(page, 'Stop answers').click()
  await dialog(page).getByRole('button', { name: 'Stop answers' }).click()
  await page.getByRole('heading', { name: 'Topic “parking permit”', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('')
  await look('stop, active')
  await eventually(async () =>
    expect(await answer('What does a parking permit cost?')).toMatchObject({
      response: 'Please call us about permits.',
      state: 'suspended',
    }),
  )
  await button(page, 'Resume').click()
  await dialog(page).getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Nothing is stopped.').waitFor()

  await button(page, 'Show the banner').click()
  await page.getByText('Enter a text.').waitFor()
  await page.getByRole('textbox', { name: 'Text of the banner' }).fill('The office is closed on Friday. '.repeat(8).trim())
  await button(page, 'Show the banner').click()
  await button(page, 'Remove the banner').waitFor()
  await look('banner')
  const phone = await newPage({ width: 375, height: 720 })
  await phone.page.goto(`${server.url}/#/chat`)
  await reloadUntil(phone.page, phone.page.getByRole('status').filter({ hasText: 'closed on Friday' }))
  expect([...(await violationsIn(phone.page)), ...(await overflowOf(phone.page))]).toEqual([])
  await button(page, 'Remove the banner').click()
  await page.getByText('There is no banner.').waitFor()

  await open(page, 'Limits and budget')
  await button(page, 'Change: BUDGET_PER_DAY').click()
  await page.getByRole('textbox', { name: 'New value' }).fill('7')
  await button(page, 'Activate').click()
  await page.getByText('Enter an amount from 0 to 5.').waitFor()
  await look('limits, with a mistake')
  await page.getByRole('textbox', { name: 'New value' }).fill('2.5')
  await button(page, 'Activate').click()
  await button(page, 'Back to 5: BUDGET_PER_DAY').waitFor()
  await look('limits')
  await button(page, 'Back to 5: BUDGET_PER_DAY').click()
  await button(page, 'Back to 5: BUDGET_PER_DAY').waitFor({ state: 'detached' })

  await open(page, 'Staff')
  await button(page, 'Create a link').click()
  await page.getByText('Enter a name or an e-mail address.').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('ada@example.org')
  await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
  await button(page, 'Create a link').click()
  const invitation = await page.locator('.invitation code').innerText()
  await look('staff')

  await button(page, 'Create a token').click()
  await page.getByText('Enter what uses the token.').waitFor()
  await page.getByRole('textbox', { name: 'Name of the script' }).fill('Monthly report')
  await button(page, 'Create a token').click()
  await page.getByText('Copy it now').waitFor()
  await button(page, 'Revoke: Monthly report').waitFor()
  await page.getByRole('textbox', { name: 'Name of the script' }).fill('Open WebUI')
  await page.getByRole('checkbox', { name: 'Answers of agents' }).check()
  await button(page, 'Create a token').click()
  await page.getByText('Choose at least one.').waitFor()
  await page.getByRole('group', { name: 'Agents' }).getByRole('checkbox').first().check()
  await page.getByRole('textbox', { name: 'Prompts per minute' }).fill('30')
  await look('tokens')
  await button(page, 'Create a token').click()
  await button(page, 'Revoke: Open WebUI').waitFor()
  await page.getByRole('textbox', { name: 'Target' }).fill('http://example.org/hook')
  await button(page, 'Create a webhook').click()
  await page.getByText('Use an https address').waitFor()
  await page.getByRole('textbox', { name: 'Target' }).fill('https://example.org/hook')
  await page.getByRole('checkbox', { name: 'A website changed' }).check()
  await button(page, 'Create a webhook').click()
  await page.getByText('whsec_').waitFor()
  await look('webhooks')
  await page.setViewportSize({ width: 375, height: 720 })
  screens['webhooks, narrow'] = await overflowOf(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await button(page, 'Delete “https://example.org/hook”?').click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await button(page, 'Delete “https://example.org/hook”?').waitFor({ state: 'detached' })

  const colleague = await newPage({ width: 375, height: 720 })
  await colleague.page.goto(invitation)
  await button(colleague.page, 'Later').click()
  await button(colleague.page, 'Screens').click()
  await colleague.page.getByRole('banner').getByText('Signed in as ada@example.org (viewer)').waitFor()
  await expect
    .poll(() => colleague.page.getByRole('navigation').getByRole('link').allInnerTexts())
    .toEqual(['Overview', 'Stops and banner', 'Limits and budget', 'System', 'Privacy', 'Your account'])
  await open(colleague.page, 'Stops and banner')
  await colleague.page.getByText('Nothing is stopped.').waitFor()
  await expect.poll(() => colleague.page.locator('form').count()).toBe(0)
  expect(await overflowOf(colleague.page)).toEqual([])
  await page.reload()
  await page.getByRole('listitem').filter({ hasText: 'ada@example.org' }).getByRole('button', { name: 'Remove' }).click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'ada@example.org', exact: true }).waitFor({ state: 'detached' })
  await button(colleague.page, 'Screens').click()
  await open(colleague.page, 'System')
  await button(colleague.page, 'Sign in with a passkey').waitFor()

  await open(page, 'Overview')
  await page.getByText('Figures change when five visitors').waitFor()
  await look('overview, empty')
  for (let visitor = 1; visitor <= 6; visitor++)
    await (
      await sendPrompt(server.url, `visitor-${visitor}`, 'What is Parley?', { headers: { 'x-forwarded-for': `203.0.113.${visitor}` } })
    ).json()
  await reloadUntil(page, page.getByRole('heading', { name: 'By state' }))
  await look('overview')
  await page.getByRole('link', { name: '7 days', exact: true }).click()
  await page.getByRole('link', { name: '7 days', exact: true, includeHidden: true }).and(page.locator('[aria-current]')).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV: Prompts by day' }).click()
  expect((await download).suggestedFilename()).toMatch(/^days-.*\.csv$/)

  await open(page, 'Questions')
  await page.getByText('Not enough visitors yet.').waitFor()
  await storeTopic(server, 'zeppelin rides')
  await page.reload()
  await page.getByRole('heading', { name: 'zeppelin rides', exact: true }).waitFor()
  await look('unanswered questions')
  await page.getByRole('listitem').filter({ hasText: 'zeppelin rides' }).getByText('Nearest passages', { exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Ask' })
  await button(page, 'Ask').click()
  await panel.getByRole('textbox', { name: 'Question' }).fill('How long are chats kept?')
  await panel.getByRole('button', { name: 'Ask', exact: true }).click()
  await panel.getByText('What was searched').click()
  await panel.getByText('Used: can be quoted.').first().waitFor()
  await look('asked')
  await panel.getByRole('button', { name: 'Close the chat' }).click()
  await open(page, 'Questions')
  await button(page, 'Dismiss: zeppelin rides').click()
  await page.getByRole('heading', { name: 'zeppelin rides', exact: true }).waitFor({ state: 'detached' })

  await open(page, 'System')
  await page.getByText('No answer has used a model in the last ten minutes.').waitFor()
  await look('status')
  await open(page, 'Audit log')
  await page.getByRole('cell', { name: 'removed someone' }).waitFor()
  await button(page, 'Check the log').click()
  await page.getByText('No entry was changed or removed').waitFor()
  await look('audit log')
  expect(Object.entries(screens).filter(([, found]) => found.length > 0)).toEqual([])
  expect([...faults, ...colleague.faults]).toEqual([])
})

test('a used link says so, and a failed sign-in what to do', async () => {
  const { page, faults } = await newPage()
  await page.goto(`${origin}/#/enter/${link}`)
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.route('**/session/passkey/options', (route) => route.abort())
  await button(page, 'Sign in with a passkey').click()
  await page.getByText('The server can’t be reached.').waitFor()
  expect(faults).toEqual([])
})

test('text of staff and visitors runs nothing in the console', async () => {
  const { page, faults } = await newPage()
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script> javascript:alert(1) \u202e'
  const { code, output } = await runOperatorCommand({ ...server.env, CONSOLE_PORT: new URL(origin).port }, [
    'staff',
    'invite',
    hostile.trim(),
    '--role',
    'owner',
  ])
  expect(code).toBe(0)
  await page.goto(/\S+#\/enter\/\S+/.exec(output)?.[0] ?? '')
  await button(page, 'Later').click()
  await open(page, 'Staff')
  await page.getByRole('heading', { name: /onerror/ }).waitFor()
  await open(page, 'Stops and banner')
  await page.getByRole('textbox', { name: 'Words of the topic' }).fill(hostile)
  await page.getByRole('textbox', { name: 'Reason' }).fill(hostile)
  await button(page, 'Stop answers').click()
  await dialog(page).getByRole('button', { name: 'Stop answers' }).click()
  await page
    .getByRole('region', { name: 'Active now' })
    .getByRole('heading', { name: /onerror/ })
    .waitFor()
  expect(await page.title()).toBe('Stops and banner · Console')
  await expect.poll(() => page.locator('main img, main script').count()).toBe(0)
  expect(faults).toEqual([])
  const { headers } = await fetch(origin)
  expect(headers.get('content-security-policy')).toMatch(/script-src 'self'; .*require-trusted-types-for 'script'; trusted-types 'none'/)
})
