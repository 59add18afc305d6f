import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import { openStage, type Stage } from './stage.ts'

const AGENT = `---
name: Helper
greeting: Hello.
policy:
  handover:
    messages: true
    contacts: [{ label: Call the town hall, url: 'tel:+49301234' }]
    hours: { timeZone: UTC, open: ['Mon-Sun 00:00-24:00'] }
---
You help.
`

const directory = mkdtempSync(join(tmpdir(), 'handover-'))
let stage: Stage
let staffPage: { origin: string; link: string }
beforeAll(async () => {
  writeFileSync(join(directory, 'assistant.md'), AGENT)
  stage = await openStage(await launchBrowser(), { ...WITH_CONSOLE, AGENTS_DIR: directory })
  staffPage = await consoleOf(stage.server)
})
afterAll(async () => {
  await stage.close()
  rmSync(directory, { recursive: true })
})

test('a visitor asks for a person, leaves a message, and reads the reply in the open chat', async () => {
  const visitor = await stage.visitor({ viewport: { width: 375, height: 720 }, reducedMotion: 'reduce' })
  await visitor.enter('#/chat')
  await visitor.button('Open the menu').click()
  await visitor.button('Ask a person').click()
  const { page } = visitor
  await page.getByRole('link', { name: 'Call the town hall' }).waitFor()
  await page.getByRole('button', { name: 'Leave the staff a message' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Your message' }).fill('How do I get a fence permit?')
  // The chat says nothing more.
  expect(await dialog.getByRole('radio', { name: 'Only this message' }).isChecked()).toBe(true)
  await dialog.getByRole('radio', { name: 'This answer' }).check()
  expect([...(await violationsIn(page)), ...(await overflowOf(page))]).toEqual([])
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Sent to the staff. Their reply appears here.').waitFor()
  await page.getByRole('button', { name: 'Leave the staff a message' }).waitFor({ state: 'detached' })

  const staff = await stage.visitor({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await staff.page.goto(`${staffPage.origin}/#/enter/${staffPage.link}`)
  await staff.page.getByRole('button', { name: 'Later', exact: true }).click()
  await staff.page.getByRole('navigation').getByRole('link', { name: 'Reports', exact: true }).click()
  await staff.page.getByText('Waiting for a reply').waitFor()
  await staff.page.getByRole('button', { name: 'Read the message' }).click()
  await staff.page.getByText('How do I get a fence permit?').waitFor()
  await staff.page.getByRole('textbox', { name: 'Reply' }).fill('Come to **room 3**.')
  expect([...(await violationsIn(staff.page)), ...(await overflowOf(staff.page))]).toEqual([])
  await staff.page.getByRole('button', { name: 'Send the reply' }).click()
  await staff.page.getByText('The visitor sees the reply in the chat.').waitFor()
  await staff.page.getByText('Closed, replied').waitFor()

  // The page looks when it is seen again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const reply = page.getByRole('region', { name: /^Reply from the staff/ })
  await expect.poll(() => reply.locator('strong').last().innerText()).toBe('room 3')
  expect([...(await violationsIn(page)), ...(await overflowOf(page))]).toEqual([])
  expect([visitor.faults, staff.faults]).toEqual([[], []])
})

test('a person is offered after two questions in a row that nothing covers, and after a thumb down', async () => {
  stage.model.script(() => ({ steps: [{ text: 'I don’t know.\n<outcome>not_covered</outcome>' }] }))
  const visitor = await stage.visitor({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await visitor.enter('#/chat')
  const offer = visitor.page.getByRole('button', { name: 'Leave the staff a message' })
  await visitor.ask('Who mends the moon?')
  expect(await offer.count()).toBe(0)
  await visitor.ask('And who mends the sun?')
  await offer.waitFor()
  expect(await visitor.page.getByRole('link', { name: 'Call the town hall' }).count()).toBe(1)

  stage.model.script(() => ({ steps: [{ text: 'The smith does.' }] }))
  await visitor.ask('Who mends a horseshoe?')
  await offer.waitFor({ state: 'detached' })
  await visitor.page.getByRole('button', { name: 'Bad answer' }).last().click()
  await offer.waitFor()
})
