import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { addPastFigures } from '../support/past-figures.ts'
import { WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'
import { openStage, pausedText, type Stage, type Visitor } from './stage.ts'

const SCORECARD = '**/api/v1/scorecard'

let stage: Stage
let visitor: Visitor
beforeAll(async () => {
  stage = await openStage(await launchBrowser(), { ...WITH_CONSOLE, SCORECARD: 'on' })
  await addPastFigures(stage.server)
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const title = () => visitor.page.getByRole('heading', { name: 'About this assistant' })
const figure = (name: string) => visitor.page.locator('.about dl > div', { hasText: name }).locator('.figure')
const menuLink = () => visitor.page.getByRole('link', { name: 'About this assistant' })

test('the menu leads to the published figures with their meaning, without consent and without anything stored', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await menuLink().click()
  await title().waitFor()
  await expect.poll(() => figure('Useful answers').textContent()).toBe('70%')
  expect(await figure('Not covered').textContent()).toBe('10%')
  expect(await figure('Messages').first().textContent()).toBe('160')
  expect(await figure('First words').textContent()).toBe('0.5 seconds')
  await visitor.page.getByText('95% are complete within 16 seconds.').waitFor()
  expect(await visitor.page.title()).toBe('About this assistant · Parley')
  const { cookies, origins } = await visitor.page.context().storageState()
  expect([cookies, origins]).toEqual([[], []])
  await visitor.page.getByRole('link', { name: 'Go to the chat' }).click()
  await visitor.button('Accept').waitFor()
  expect(visitor.faults).toEqual([])
})

test('an answer goes on while the visitor looks', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const { script, release } = pausedText('We open at nine, and close at six.', 3)
  stage.model.script(script)
  await visitor.send('When do you open?')
  await visitor.answers.getByText('We open').waitFor()
  await menuLink().click()
  await title().waitFor()
  release()
  await visitor.page.goBack()
  await expect.poll(() => visitor.answers.allInnerTexts()).toEqual([expect.stringContaining('We open at nine, and close at six.')])
})

test.each([
  { locale: 'en', dir: 'ltr', width: 1280, colorScheme: 'light' },
  { locale: 'de', dir: 'ltr', width: 320, colorScheme: 'dark' },
  { locale: 'ar', dir: 'rtl', width: 320, colorScheme: 'light' },
  { locale: 'ar', dir: 'rtl', width: 1280, colorScheme: 'dark' },
] as const)('axe finds no violation in $locale at $width px, in $colorScheme', async ({ locale, dir, width, colorScheme }) => {
  visitor = await stage.visitor({ locale, viewport: { width, height: 720 }, colorScheme, reducedMotion: 'reduce' })
  await visitor.open('#/about')
  await visitor.page.locator('.about dl').waitFor()
  await expect.poll(() => visitor.page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([locale, dir])
  expect([...(await violationsIn(visitor.page)), ...(await overflowOf(visitor.page))]).toEqual([])
})

test('says what will appear, and after a failure tries again', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await page.route(SCORECARD, (route) => route.fulfill({ status: 500, json: { code: 'internal' } }))
  await visitor.open('#/about')
  await page.getByRole('alert').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.unroute(SCORECARD)
  await page.route(SCORECARD, (route) => route.fulfill({ json: { figures: null } }))
  await visitor.button('Try again').click()
  await page.getByText('There are no figures yet.').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await page.unroute(SCORECARD)
  const figures = {
    from: '2026-11-01',
    to: '2026-11-20',
    useful: null,
    times: { firstText: { median: null, p95: null }, wholeAnswer: null },
  }
  await page.route(SCORECARD, (route) => route.fulfill({ json: { figures } }))
  await page.reload()
  await expect
    .poll(() => page.locator('.about .figure').allTextContents())
    .toEqual(['Too few to tell', 'More than 2 minutes', 'Too few to tell'])
})

test('without a scorecard, nothing leads to it and nothing is there', async () => {
  visitor = await stage.visitor()
  await visitor.page.route('**/api/v1/config**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), scorecard: false } })
  })
  await visitor.open()
  await visitor.button('My data').waitFor()
  expect(await menuLink().count()).toBe(0)
  await visitor.open('#/about')
  await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
