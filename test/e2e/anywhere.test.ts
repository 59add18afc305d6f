import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  const LOOK = { APP_NAME: 'Harbour', THEME_COLOR: '#7a1f5c,#f0a8d4', WELCOME_LINE: 'Ask about ships.' }
  stage = await openStage(await launchBrowser(), { ...LOOK, LINKS: 'Imprint=https://example.org/imprint' })
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const newVisitor = async () => {
  visitor = await stage.visitor({ serviceWorkers: 'allow' })
}
const cachedPaths = () =>
  visitor.page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return paths
  })
/** Whether the page would open offline. */
const isReady = () =>
  visitor.page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
const setOffline = (isOffline: boolean) => visitor.page.context().setOffline(isOffline)

test('shows the operator’s branding in both themes', async () => {
  await newVisitor()
  await visitor.enter()
  await visitor.page.getByText('Ask about ships.').waitFor()
  await expect.poll(() => visitor.page.getByRole('link', { name: 'Imprint' }).getAttribute('href')).toBe('https://example.org/imprint')
  await visitor.page.emulateMedia({ colorScheme: 'dark' })
  await visitor.composer.fill('A')
  const colorOf = () => visitor.button('Send').evaluate((button) => getComputedStyle(button).backgroundColor)
  await expect.poll(colorOf).toBe('rgb(240, 168, 212)')
  await visitor.page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(colorOf).toBe('rgb(122, 31, 92)')
  expect(await cachedPaths()).toEqual([])
  expect(visitor.faults).toEqual([])
})

test('opens offline with the open chat and what was typed, and sends it again when the visitor says so', async () => {
  await newVisitor()
  await visitor.enter()
  stage.model.script([{ text: 'Ships are at the quay.' }])
  await visitor.ask('Where are the ships?')
  await isReady()
  await visitor.page.reload()
  await visitor.answers.getByText('Ships are at the quay.').waitFor()
  await expect.poll(cachedPaths).toContain('/')
  await setOffline(true)
  await visitor.page.getByText('You’re offline. What you type is saved.').waitFor()
  await visitor.composer.fill('And when do they leave?')
  await visitor.page.reload()
  await visitor.answers.getByText('Ships are at the quay.').waitFor()
  await expect.poll(() => visitor.composer.inputValue()).toBe('And when do they leave?')
  await visitor.composer.press('Enter')
  await visitor.page.getByRole('alert').getByText('You’re offline. Your message is saved.').waitFor()
  stage.model.script([{ text: 'At noon.' }])
  const asked = stage.model.requests.length
  await setOffline(false)
  await visitor.button('Retry').click()
  await visitor.answers.getByText('At noon.').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['Where are the ships?', 'And when do they leave?'])
  expect(stage.model.requests.length).toBe(asked + 1)
  expect(visitor.faults).toEqual([])
})

test('caches no chat, and deletes everything when consent is withdrawn', async () => {
  await newVisitor()
  await visitor.enter()
  stage.model.script([{ text: 'Good morning.' }])
  await visitor.ask('Hello')
  await isReady()
  expect((await cachedPaths()).filter((path) => !/^\/($|assets\/|api\/v1\/(config|logo)$)/.test(path))).toEqual([])
  await visitor.button('Privacy notice').first().click()
  await visitor.button('Withdraw consent').click()
  await expect.poll(cachedPaths).toEqual([])
  expect(await visitor.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})
