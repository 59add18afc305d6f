import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import { reloadUntil } from './reload-until.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let staffPage: { origin: string; link: string }
beforeAll(async () => {
  stage = await openStage(await launchBrowser(), WITH_CONSOLE)
  staffPage = await consoleOf(stage.server)
})
afterAll(() => stage.close())

const HOSTILE = '<img src=x onerror="window.ran = 1"><script>window.ran = 1</script> [a](javascript:window.ran=1)'

/** Complaints of axe and about the layout, in light and dark. */
async function mistakesOf(page: Page): Promise<string[]> {
  const light = [...(await violationsIn(page)), ...(await overflowOf(page))]
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violationsIn(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark]
}

test('a visitor hands over what they choose, staff read and correct it, and the visitor sees both', async () => {
  const visitor = await stage.visitor({ viewport: { width: 375, height: 720 }, reducedMotion: 'reduce' })
  await visitor.enter('#/chat')
  await visitor.ask('My secret is 1234. How long is an egg boiled?')
  await visitor.page.getByRole('button', { name: 'Report a problem with this answer' }).click()
  const dialog = visitor.page.getByRole('dialog')
  const prompt = dialog.getByRole('textbox', { name: 'Your message' })
  await expect.poll(() => prompt.inputValue()).toBe('My secret is 1234. How long is an egg boiled?')
  await dialog.getByRole('radio', { name: 'Only my rating' }).check()
  await prompt.waitFor({ state: 'detached' })
  await dialog.getByRole('radio', { name: 'This answer' }).check()
  await prompt.fill(`How long? ${HOSTILE}`)
  await dialog.getByRole('textbox', { name: 'What went wrong? (optional)' }).fill('Too short')
  expect(await mistakesOf(visitor.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await visitor.page.getByText('Report sent.').waitFor()

  const staff = await stage.visitor({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const { page } = staff
  await page.goto(`${staffPage.origin}/#/enter/${staffPage.link}`)
  await page.getByRole('button', { name: 'Later', exact: true }).click()
  const reports = page.getByRole('navigation').getByRole('link', { name: 'Reports', exact: true })
  await expect.poll(() => reports.getAttribute('title')).toBe('Needs attention (1)')
  await reports.click()
  const read = page.getByRole('button', { name: 'Read the report' })
  await read.waitFor()
  await expect.poll(() => page.locator('body').innerText()).not.toContain('How long')
  await read.click()
  await page.getByText(HOSTILE, { exact: false }).waitFor()
  await expect.poll(() => page.locator('body').innerText()).not.toContain('1234')
  expect(await mistakesOf(page)).toEqual([])
  await page.setViewportSize({ width: 375, height: 720 })
  expect(await overflowOf(page)).toEqual([])
  await page.getByRole('combobox', { name: 'The answer is' }).selectOption('Outdated')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Marked as: Outdated').waitFor()
  await page.getByRole('button', { name: 'Publish the correction' }).click()
  await page.getByText('Enter a text.').waitFor()
  await page.getByRole('textbox', { name: 'Correction' }).fill(`**Ten** minutes. ${HOSTILE}`)
  await page.getByRole('button', { name: 'Publish the correction' }).click()
  await page.getByText('Visitors see the correction when they return.').waitFor()
  await page.getByRole('heading', { name: 'At one answer of assistant' }).waitFor()
  expect(await mistakesOf(page)).toEqual([])
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/feedback-375-light.png`, fullPage: true })
  expect([await page.evaluate(() => 'ran' in window), staff.faults]).toEqual([false, []])

  const correction = visitor.page.getByRole('region', { name: /^Correction by the operator’s staff/ })
  await reloadUntil(visitor.page, correction)
  await expect.poll(() => correction.locator('strong').last().innerText()).toBe('Ten')
  expect(await mistakesOf(visitor.page)).toEqual([])
  await visitor.page.setViewportSize({ width: 1280, height: 800 })
  await visitor.button('My data').click()
  await visitor.page.getByText(/Read by the operator’s staff \(owner\)/).waitFor()
  expect(await mistakesOf(visitor.page)).toEqual([])
  await visitor.page.getByRole('button', { name: 'Withdraw report' }).click()
  await visitor.page.getByRole('button', { name: 'Withdraw report' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('No reports.').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'At one answer of assistant' }).waitFor({ state: 'detached' })
  expect([await visitor.page.evaluate(() => 'ran' in window), visitor.faults]).toEqual([false, []])
})
