import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const dialog = () => visitor.page.getByRole('dialog', { name: 'Before we talk' })
const consentCookie = async () => (await visitor.page.context().cookies()).find(({ name }) => name === 'privacy-consent')

/** All that a page can keep on the device. */
const kept = async () => ({
  cookies: await visitor.page.context().cookies(),
  storage: await visitor.page.evaluate(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]),
})

test('before consent, asks for nothing but the page, its configuration and the notice, and keeps nothing', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await dialog().getByText('What is collected').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  const asked = visitor.requests.map((address) => new URL(address)).filter(({ pathname }) => pathname.startsWith('/api/'))
  expect(new Set(asked.map(({ pathname }) => pathname))).toEqual(new Set(['/api/v1/config', '/api/v1/privacy-notice']))
  expect(await kept()).toEqual({ cookies: [], storage: [0, 0, 0] })
})

test('refusing closes the dialog for good; the composer then offers the notice', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.button('Decline').click()
  await dialog().waitFor({ state: 'hidden' })
  expect(await consentCookie()).toMatchObject({ value: 'false', sameSite: 'Lax', path: '/' })
  await visitor.page.reload()
  await visitor.button('Open the notice').waitFor()
  expect(await dialog().isVisible()).toBe(false)
  expect(await visitor.composer.count()).toBe(0)
  await visitor.button('Open the notice').click()
  await visitor.button('Accept').click()
  await visitor.composer.waitFor()
  expect(await visitor.page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('Escape leaves the decision open: nothing is stored, and the next visit asks again', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.button('Accept').waitFor()
  await visitor.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  expect((await kept()).cookies).toEqual([])
  await visitor.page.reload()
  await dialog().waitFor()
})

test('accepting is kept for 180 days, and can be withdrawn', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const cookie = await consentCookie()
  expect(cookie).toMatchObject({ value: 'true', sameSite: 'Lax', path: '/' })
  expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(180)
  await visitor.page.reload()
  await visitor.composer.waitFor()
  await visitor.button('Privacy notice').click()
  await visitor.button('Withdraw consent').click()
  await visitor.button('Open the notice').waitFor()
  expect(await consentCookie()).toMatchObject({ value: 'false' })
  expect((await kept()).storage).toEqual([0, 0, 0])
})

test('a changed notice asks again', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.evaluate(() => localStorage.setItem('privacy-notice-version', 'an older one'))
  await visitor.page.reload()
  await dialog().waitFor()
  expect(await visitor.composer.count()).toBe(0)
})

test('the visitor is unknown to the server until the first prompt was accepted', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.waitForLoadState('networkidle')
  expect(visitor.requests.filter((address) => address.endsWith('/api/v1/me'))).toEqual([])
  // Where nobody can sign in, nothing for it is loaded.
  expect(visitor.requests.filter((address) => /account|sign-in/.test(address))).toEqual([])
  await visitor.ask('Hello')
  await visitor.page.getByText('anonymous').waitFor()
  expect((await visitor.page.context().cookies()).map(({ name }) => name).toSorted()).toEqual(['privacy-consent', 'visitor'])
})
