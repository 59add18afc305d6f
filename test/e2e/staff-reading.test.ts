import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { consoleOf } from '../support/staff-client.ts'
import { openStaffPage } from './console-tour-pages.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import { reloadUntil } from './reload-until.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

const HOSTILE = '<img src=x onerror="window.ran = 1"> [a](javascript:window.ran=1) \u202eabc'
const FIVE_MINUTES = '05:01'

let stage: Stage
let staff: Page
let origin: string
beforeAll(async () => {
  stage = await openStage(await launchBrowser(), { CONSOLE_PORT: String(await freePort()) })
  const { origin: found, link } = await consoleOf(stage.server)
  origin = found
  staff = await openStaffPage(stage.browser, { width: 1280, height: 800 })
  await staff.goto(`${origin}/#/enter/${link}`)
  await staff.getByRole('textbox', { name: 'Name of the device' }).fill('Work laptop')
  await staff.getByRole('button', { name: 'Add a passkey', exact: true }).click()
  await staff.getByText('First steps').waitFor()
})
afterAll(() => stage.close())

async function restart(reading: 'reports' | 'all'): Promise<void> {
  stage.server.env['STAFF_READING'] = reading
  await stage.server.restart()
}

const notice = ({ page }: Visitor) => page.getByRole('dialog', { name: 'Before you start' })
const FIRST_LINE = 'The operator’s staff can read your messages and the answers, except in temporary chats.'
const chatsLink = () => staff.getByRole('navigation').getByRole('link', { name: 'Chats', exact: true })
const readButtons = () => staff.getByRole('button', { name: 'Read the chat', exact: true })

/** Complaints of axe and about the layout, in light and dark, at the width of a phone and of a desktop. */
async function mistakesOf(page: Page, name: string): Promise<string[]> {
  const mistakes: string[] = []
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      mistakes.push(...(await violationsIn(page)), ...(await overflowOf(page)))
      const folder = process.env['SCREENSHOTS']
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  return mistakes
}

test('a visitor is asked again before staff can read, staff read what is sent after that, and the visitor sees it and withdraws', async () => {
  const visitor = await stage.visitor({ reducedMotion: 'reduce' })
  await visitor.enter('#/chat')
  await visitor.ask('cAnary-before: how long is an egg boiled?')
  expect(await chatsLink().count()).toBe(0)

  await restart('all')
  await visitor.page.reload()
  await notice(visitor).locator('li').first().getByText(FIRST_LINE).waitFor()
  await visitor.button('Read the full notice').click()
  await notice(visitor).getByText('Our staff can read the messages that you send after accepting this notice').waitFor()
  expect(await mistakesOf(visitor.page, 'reading-consent')).toEqual([])
  await visitor.button('Accept and continue').click()
  await visitor.button('New chat').first().click()
  await visitor.ask(`cAnary-after: ${HOSTILE}`)

  await reloadUntil(staff, chatsLink())
  await chatsLink().click()
  await readButtons().waitFor()
  await expect.poll(() => staff.locator('body').innerText()).not.toContain('cAnary')
  expect(await mistakesOf(staff, 'reading-chats')).toEqual([])
  await readButtons().click()
  await staff.getByText('cAnary-after').waitFor()
  await staff.getByText('Readings: 1').waitFor()
  await expect.poll(() => staff.locator('body').innerText()).not.toContain('cAnary-before')
  expect(await mistakesOf(staff, 'reading-opened')).toEqual([])
  expect(await staff.evaluate(() => 'ran' in window)).toBe(false)

  await visitor.button('My data').click()
  await visitor.page.getByRole('heading', { name: 'Chats opened by the operator’s staff' }).waitFor()
  await visitor.page.getByText(/Read by the operator’s staff \(owner\)/).waitFor()
  expect(await mistakesOf(visitor.page, 'reading-my-data')).toEqual([])
  await visitor.button('Withdraw consent').click()
  await visitor.button('Keep my chats').waitFor()
  await reloadUntil(staff, staff.getByText('No chats. They appear here once'))
  expect(await mistakesOf(staff, 'reading-none')).toEqual([])
  expect(visitor.faults).toEqual([])
  await visitor.leave()

  await restart('reports')
  await staff.reload()
  await staff.getByRole('navigation').getByRole('link', { name: 'Reports', exact: true }).waitFor()
  await expect.poll(() => chatsLink().count()).toBe(0)
})

test('a page that stays open asks again, and sends nothing before the decision', async () => {
  await restart('reports')
  const visitor = await stage.visitor()
  await visitor.page.clock.install()
  await visitor.enter('#/chat')
  await restart('all')
  await visitor.page.clock.fastForward(FIVE_MINUTES)
  await notice(visitor).locator('li').first().getByText(FIRST_LINE).waitFor()
  await visitor.send('Wait for me')
  await visitor.button('Accept and send').waitFor()
  await expect.poll(() => visitor.prompts.count()).toBe(0)
  await visitor.leave()
})
