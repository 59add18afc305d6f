import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer } from '../support/server.ts'
import { openStage, type Stage, Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const dialog = () => visitor.page.getByRole('dialog', { name: 'Before you start' })
const consentCookie = async () => (await visitor.page.context().cookies()).find(({ name }) => name === 'privacy-consent')

/** All storage on the device. */
const kept = async () => ({
  cookies: await visitor.page.context().cookies(),
  storage: await visitor.page.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    (await indexedDB.databases()).length,
    (await caches.keys()).length,
    (await navigator.serviceWorker.getRegistrations()).length,
  ]),
})
const NOTHING = { cookies: [], storage: [0, 0, 0, 0, 0] }

/** Requests other than for the page's own files. */
const asked = () =>
  visitor.requests
    .map((address) => new URL(address))
    .filter(({ origin, pathname }) => origin !== new URL(stage.server.url).origin || pathname.startsWith('/api/'))
    .map(({ pathname }) => pathname)
const BEFORE_CONSENT = ['/api/v1/config']
const withNotice = [...BEFORE_CONSENT, '/api/v1/privacy-notice']

test('before consent, requests only the page and its configuration, and stores nothing, whatever the visitor types', async () => {
  visitor = await stage.visitor()
  const sent: string[] = []
  visitor.page.on('request', (request) => {
    if (request.method() !== 'GET' || request.headers()['cookie']) sent.push(`${request.method()} ${request.url()}`)
  })
  await visitor.open()
  await visitor.button('Accept and continue').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  expect(await kept()).toEqual(NOTHING)
  // The first key leads to the message box, and the notice is just before it.
  for (const key of ['Tab', 'Enter', 'Shift+Tab']) await visitor.page.keyboard.press(key)
  await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.closest('dialog')?.open)).toBe(true)
  await visitor.button('My data').click()
  await dialog().getByRole('heading', { name: 'Before you start' }).and(visitor.page.locator(':focus')).waitFor()
  await visitor.composer.fill('Not to be stored')
  await visitor.composer.press('Enter')
  await visitor.button('Accept and send').waitFor()
  await visitor.page.locator('.starters button').first().click()
  await visitor.page.waitForLoadState('networkidle')
  expect(new Set(asked())).toEqual(new Set(BEFORE_CONSENT))
  await visitor.button('Read the full notice').click()
  await dialog().getByText('What we collect').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  expect(await kept()).toEqual(NOTHING)
  expect(new Set(asked())).toEqual(new Set(withNotice))
  expect(sent).toEqual([])
  await visitor.page.reload()
  await visitor.button('Accept and continue').waitFor()
  await expect.poll(() => visitor.composer.inputValue()).toBe('')
})

test.each(['en', 'de', 'ar'])('on a small phone, greeting, notice, message box and a starter are seen together, in %s', async (locale) => {
  visitor = await stage.visitor({ viewport: { width: 320, height: 568 }, locale })
  await visitor.open()
  const { page } = visitor
  const notice = page.locator('.consent')
  for (const part of [
    page.locator('.welcome h2'),
    notice,
    notice.locator('footer .solid'),
    page.locator('#composer'),
    page.locator('.starters button').first(),
  ])
    await expect.poll(() => part.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  const [box, sheet] = [await page.locator('.composer').boundingBox(), await notice.boundingBox()]
  expect(sheet!.y + sheet!.height).toBeLessThanOrEqual(box!.y)
})

test('a prompt that is sent before the decision waits in the message box, and is sent on acceptance', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.send('What can you do')
  await visitor.page.getByText('Accept the privacy notice to send this.').waitFor()
  await dialog().getByRole('heading', { name: 'Before you start' }).and(visitor.page.locator(':focus')).waitFor()
  await visitor.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(() => visitor.composer.inputValue()).toBe('What can you do')
  await visitor.composer.press('End')
  await visitor.composer.pressSequentially('?')
  await visitor.composer.press('Enter')
  await visitor.button('Accept and send').click()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['What can you do?'])
  await expect.poll(() => visitor.composer.inputValue()).toBe('')
})

test('what was typed before the notice was declined is there when it is accepted', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.composer.fill('Typed before')
  await visitor.button('Decline').click()
  await visitor.button('Open the notice').click()
  await visitor.button('Accept and continue').click()
  await expect.poll(() => visitor.composer.inputValue()).toBe('Typed before')
  await expect.poll(() => visitor.prompts.count()).toBe(0)
})

test('after declining, sends nothing and stores only that decision, whatever the visitor does', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.button('Decline').click()
  await visitor.button('Open the notice').waitFor()
  await visitor.button('Dark').first().click()
  await visitor.button('New chat').first().click()
  await visitor.page.goto(`${stage.server.url}/#/chat?session=${'A'.repeat(21)}`)
  await visitor.page.reload()
  await visitor.button('Open the notice').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  expect(new Set(asked())).toEqual(new Set(BEFORE_CONSENT))
  expect((await kept()).cookies.map(({ name, value }) => `${name}=${value}`)).toEqual(['privacy-consent=false'])
  expect((await kept()).storage).toEqual(NOTHING.storage)
  // The server enforces it by itself.
  const statuses = await visitor.page.evaluate(() =>
    Promise.all(
      ['POST', 'PUT', 'PATCH'].map(async (method) => {
        const init = { method, headers: { 'content-type': 'application/json' }, body: '{"prompt":"hello"}' }
        return (await fetch('/api/v1/agent/chat/me', init)).status
      }),
    ),
  )
  expect(statuses).toEqual([428, 405, 405])
  expect((await kept()).cookies).toHaveLength(1)
})

test('declining closes the dialog permanently; the composer then offers the notice', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.button('Decline').click()
  await dialog().waitFor({ state: 'hidden' })
  expect(await consentCookie()).toMatchObject({ value: 'false', sameSite: 'Lax', path: '/' })
  await visitor.page.reload()
  await visitor.button('Open the notice').waitFor()
  await expect.poll(() => dialog().isVisible()).toBe(false)
  await expect.poll(() => visitor.composer.count()).toBe(0)
  await visitor.button('Open the notice').click()
  await visitor.button('Accept and continue').click()
  await visitor.composer.waitFor()
  expect(await visitor.page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('Escape leaves the decision open: nothing is stored, and the next visit asks again', async () => {
  visitor = await stage.visitor()
  await visitor.open()
  await visitor.button('Accept and continue').waitFor()
  await visitor.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  expect((await kept()).cookies).toEqual([])
  await visitor.page.reload()
  await dialog().waitFor()
})

test('acceptance is stored for 180 days, and can be withdrawn', async () => {
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
  await expect.poll(consentCookie).toMatchObject({ value: 'false' })
  expect((await kept()).storage).toEqual(NOTHING.storage)
})

test('a changed notice asks again', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.evaluate(() => localStorage.setItem('privacy-notice-version', 'an older one'))
  await visitor.page.reload()
  await dialog().waitFor()
  await visitor.send('Wait for me')
  await visitor.button('Accept and send').waitFor()
  await expect.poll(() => visitor.prompts.count()).toBe(0)
})

test('the notice states facts of the installation, and asks again when they change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-notice-'))
  const settings = { DATA_DIR: folder, PORT: '0', APP_NAME: 'Library', CONTACT: 'desk@library.example', RETENTION_DAYS: '7' }
  const first = await startServer({ database: 'sqlite', env: settings })
  const port = new URL(first.url).port
  visitor = new Visitor(first.url, await (await stage.browser.newContext()).newPage())
  await visitor.open()
  // Not part of the notice, which the operator can write.
  await dialog().locator('li', { hasText: 'You’re chatting with an AI. Answers are generated on this server.' }).waitFor()
  await dialog().getByText('No account needed. A chat is deleted 7 days after its last message.').waitFor()
  await visitor.button('Read the full notice').click()
  for (const fact of ['Library', 'desk@library.example', '7 days', 'sent to anyone else']) await dialog().getByText(fact).first().waitFor()
  await visitor.button('Accept and continue').click()
  await visitor.composer.waitFor()
  await visitor.page.locator('.welcome').getByText('You’re chatting with an AI.').waitFor()
  await first.kill()
  const model = { OPENAI_BASE_URL: 'https://models.example.org/v1', MODEL: 'some-model' }
  const second = await startServer({ database: 'sqlite', env: { ...settings, ...model, PORT: port, RETENTION_DAYS: '90' } })
  try {
    await visitor.page.reload()
    for (const fact of ['90 days', 'models.example.org']) await dialog().locator('li').getByText(fact).waitFor()
    await expect.poll(() => visitor.prompts.count()).toBe(0)
  } finally {
    await second.stop()
    await first.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the notice can be opened wherever the visitor writes, on a phone too', async () => {
  visitor = await stage.visitor({ viewport: { width: 375, height: 700 } })
  await visitor.enter()
  await visitor.button('Privacy').click()
  await visitor.button('Withdraw consent').click()
  await visitor.button('Open the notice').waitFor()
  expect(await consentCookie()).toMatchObject({ value: 'false' })
})

test('the visitor is unknown to the server until the first prompt is accepted', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.waitForLoadState('networkidle')
  expect(visitor.requests.filter((address) => address.endsWith('/api/v1/me'))).toEqual([])
  await visitor.ask('Hello')
  expect((await visitor.page.context().cookies()).map(({ name }) => name).toSorted()).toEqual(['privacy-consent', 'visitor'])
})
