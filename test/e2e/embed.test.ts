import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage } from './stage.ts'

/** Globals that the script adds to the embedding page. */
type EmbeddingWindow = Window & { Parley?: Record<'open' | 'close', () => void> & Record<'prefill' | 'theme', (text: string) => void> }

/** A site on another origin whose pages embed the chat. */
async function openHost(): Promise<{ server: Server; origin: string; script: { address: string }; page: { language: string } }> {
  const script = { address: '' }
  const site = { language: '' }
  const server = createServer((_request, response) => {
    const origin = new URL(script.address).origin
    response.setHeader('content-type', 'text/html')
    // A strict policy: nothing inline, only the script and the frame.
    response.setHeader('content-security-policy', `default-src 'none'; script-src ${origin}; frame-src ${origin}`)
    response.end(`<!doctype html><html lang="${site.language}"><title>A shop</title><h1>A shop</h1>
      <script src="${script.address}" data-agent="assistant" data-label="Ask us" async></script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, script, page: site }
}

let host: Awaited<ReturnType<typeof openHost>>
let stage: Stage
let page: Page
let chat: FrameLocator
const faults: string[] = []

beforeAll(async () => {
  host = await openHost()
  stage = await openStage(await launchBrowser(), { FRAME_ANCESTORS: host.origin, FRAME_CHATS: 'visit' })
  host.script.address = `http://localhost:${new URL(stage.server.url).port}/embed.js`
})
afterAll(async () => {
  await stage.close()
  host.server.close()
})
afterEach(() => page.context().close())

async function visit(viewport = { width: 1280, height: 800 }): Promise<void> {
  const context = await stage.browser.newContext({ viewport })
  page = await context.newPage()
  chat = page.frameLocator('parley-chat iframe')
  faults.length = 0
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy|postMessage/i.test(message.text())) faults.push(message.text())
  })
  await page.goto(host.origin)
}

const launcher = () => page.getByRole('button', { name: 'Ask us' })
const panel = () => page.getByRole('dialog', { name: 'Ask us' })
const composer = () => chat.getByRole('textbox', { name: /^Message/ })

test('one line gives another site’s page a chat, with data of its own for that site', async () => {
  await visit()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await launcher().waitFor()
  expect(asked.filter((address) => !address.endsWith('/embed.js'))).toEqual([])
  await launcher().click()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  const sites: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sites.push(request.headers()['embedding-site'])
  })
  stage.model.script([{ text: 'We open at nine.' }])
  await composer().fill('When do you open?')
  await composer().press('Enter')
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  expect(sites).toEqual([host.origin])
  const cookies = await page.context().cookies(new URL(host.script.address).origin)
  expect(new Set(cookies.map(({ name, sameSite, secure, httpOnly }) => [name, sameSite, secure, httpOnly].join()))).toEqual(
    new Set([
      'open-chat,None,true,false',
      'privacy-consent,None,true,false',
      'privacy-notice-version,None,true,false',
      'visitor,None,true,true',
    ]),
  )
  expect(cookies.every(({ expires }) => expires === -1)).toBe(true)
  expect(cookies.every(({ partitionKey }) => partitionKey?.startsWith('http://127.0.0.1'))).toBe(true)

  // What the visitor has opened is open again.
  await page.reload()
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  await chat.getByRole('button', { name: 'New chat' }).first().click()
  await chat.getByRole('button', { name: 'Open the menu' }).click()
  await chat.getByRole('link', { name: /When do you open/ }).click()
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  expect(faults).toEqual([])
})

test('the embedding page opens, closes, prefills and themes the chat; other messages are ignored', async () => {
  await visit()
  await launcher().waitFor()
  await page.evaluate(() => (window as EmbeddingWindow).Parley?.prefill('Where is my parcel?'))
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  await expect.poll(() => composer().inputValue()).toBe('Where is my parcel?')
  await page.evaluate(() => (window as EmbeddingWindow).Parley?.theme('dark'))
  const scheme = () => chat.locator('html').evaluate((element) => element.style.colorScheme)
  await expect.poll(scheme).toBe('dark')
  await page.evaluate(() => {
    const frame = document.querySelector('parley-chat')?.shadowRoot?.querySelector('iframe')
    const { port1, port2 } = new MessageChannel()
    port1.postMessage({ type: 'theme', theme: 'light' })
    frame?.contentWindow?.postMessage({ type: 'theme', theme: 'light' }, '*')
    // A second channel is ignored.
    frame?.contentWindow?.postMessage('parley-connect', '*', [port2])
    ;(window as EmbeddingWindow).Parley?.prefill('Please.')
  })
  await expect.poll(() => composer().inputValue()).toBe('Please.\nWhere is my parcel?')
  expect(await scheme()).toBe('dark')
  await composer().press('Escape')
  await expect.poll(() => panel().isVisible()).toBe(false)
  await expect.poll(() => launcher().evaluate((button) => (button.getRootNode() as ShadowRoot).activeElement === button)).toBe(true)
  await page.evaluate(() => (window as EmbeddingWindow).Parley?.open())
  await expect.poll(() => composer().inputValue()).toContain('Where is my parcel?')
  await page.evaluate(() => (window as EmbeddingWindow).Parley?.close())
  await expect.poll(() => panel().isVisible()).toBe(false)
  expect(faults).toEqual([])
})

test('on a phone it fills the screen, and can be closed', async () => {
  await visit({ width: 375, height: 700 })
  await launcher().click()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).waitFor()
  await expect.poll(() => panel().boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 700 })
  await chat.getByRole('button', { name: 'Close', exact: true }).click()
  await launcher().waitFor()
})

test('a site that is not listed cannot frame the chat: its visitors are offered the chat’s own page at once, its console says why', async () => {
  const other = await openHost()
  try {
    other.script.address = host.script.address
    page = await (await stage.browser.newContext()).newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.clock.install()
    await page.goto(other.origin)
    await launcher().click()
    // The clock stands still.
    const link = page.getByRole('link', { name: 'Ask us' })
    await expect.poll(() => link.getAttribute('href')).toBe(new URL('./', host.script.address).href)
    expect(errors.join()).toContain(`the origin ${other.origin} is not listed`)
    expect(page.frames()).toHaveLength(1)
  } finally {
    other.server.close()
  }
})

test('stays in the open chat on the next page, even in the middle of an answer, until the visitor begins another', async () => {
  await visit()
  await launcher().click()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  const { promise: nextPage, resolve: onNextPage } = Promise.withResolvers<void>()
  stage.model.script([{ text: 'We open' }, { until: nextPage }, { text: ' at nine.' }])
  await composer().fill('When do you open?')
  await composer().press('Enter')
  await chat.locator('article.agent').getByText('We open').waitFor()
  await page.goto(`${host.origin}/next`)
  await chat.locator('article.human').getByText('When do you open?').waitFor()
  onNextPage()
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  // The embedding page knows only that the panel is open.
  expect(await page.evaluate(() => [Object.entries(sessionStorage), localStorage.length, document.cookie])).toEqual([
    [['parley-open', 'true']],
    0,
    '',
  ])
  await chat.getByRole('button', { name: 'New chat' }).first().click()
  await expect.poll(() => chat.locator('article').count()).toBe(0)
  await page.goto(host.origin)
  await composer().waitFor()
  await expect.poll(() => chat.locator('article').count()).toBe(0)
  expect(faults).toEqual([])
})

test('speaks the language of the page, keeps its own fonts, and stays open on the next page', async () => {
  page = await (await stage.browser.newContext()).newPage()
  host.page.language = 'de-AT'
  onTestFinished(() => void (host.page.language = ''))
  chat = page.frameLocator('parley-chat iframe')
  await page.goto(host.origin)
  await page.evaluate(() => {
    const styles = new CSSStyleSheet()
    styles.replaceSync('* { font: italic 30px cursive; text-transform: uppercase; letter-spacing: 1em }')
    document.adoptedStyleSheets = [styles]
  })
  const styleOf = await launcher().evaluate((button) => {
    const { fontStyle, fontSize, textTransform, letterSpacing } = getComputedStyle(button)
    return [fontStyle, fontSize, textTransform, letterSpacing]
  })
  expect(styleOf).toEqual(['normal', '16px', 'none', 'normal'])
  await launcher().getByText('KI', { exact: true }).waitFor()
  await launcher().click()
  await chat.getByText('Sie chatten mit einer KI.').waitFor()
  await chat.getByRole('button', { name: 'Akzeptieren und weiter', exact: true }).click()
  await chat.getByRole('button', { name: 'Schließen', exact: true }).waitFor()
  stage.model.script([{ text: 'Wir öffnen um neun.' }])
  const box = chat.getByRole('textbox', { name: /^Nachricht/ })
  await box.fill('Wann öffnen Sie?')
  await box.press('Enter')
  await chat.locator('article.agent').getByText('Wir öffnen um neun.').waitFor()
  await page.goto(`${host.origin}/next`)
  await chat.getByRole('textbox', { name: /^Nachricht/ }).waitFor()
  expect(await page.evaluate(() => Object.entries(sessionStorage))).toEqual([['parley-open', 'true']])
  await chat.getByRole('button', { name: 'Schließen', exact: true }).click()
  await panel().waitFor({ state: 'hidden' })
  await page.goto(host.origin)
  await launcher().waitFor()
  expect([await panel().isVisible(), await page.evaluate(() => sessionStorage.length)]).toEqual([false, 0])
})
