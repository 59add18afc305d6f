import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage } from './stage.ts'

/** A page of a site that embeds the chat in a way of its own. */
interface HostPage {
  head?: string
  body?: string
  html?: string
  headers?: OutgoingHttpHeaders
  /** The whole answer instead of the parts above. */
  whole?: string
  /** Left of the window, in a page from right to left. */
  isLeft?: true
}

let server: Server
let origin = ''
let stage: Stage
let script = ''
let page: Page
let shown: HostPage = {}
const faults: string[] = []
/** Origins that the page and the chat have asked. */
const asked = new Set<string>()

beforeAll(async () => {
  server = createServer((_request: IncomingMessage, response) => {
    const { head = '', body = '', html = 'lang="en"', headers, whole } = shown
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(
      whole ?? `<!doctype html><html ${html}><head><title>A shop</title>${head}</head><body><h1>A shop</h1>${body}</body></html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stage = await openStage(await launchBrowser(), { FRAME_ANCESTORS: origin })
  script = `http://localhost:${new URL(stage.server.url).port}/embed.js`
})
afterAll(async () => {
  await stage.close()
  server.close()
})
afterEach(() => page.context().close())

async function visit(content: HostPage): Promise<void> {
  shown = content
  page = await (await stage.browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  faults.length = 0
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && !/favicon/.test(message.location().url) && faults.push(message.text()))
  asked.clear()
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  await page.goto(origin)
}

const launcher = () => page.getByRole('button', { name: 'Ask us' })
/** By no locator, since those find no frame in XHTML. */
async function chatFrame(): Promise<Frame> {
  await expect.poll(() => page.frames().length).toBe(2)
  return page.frames()[1]!
}
const composer = (chat: Frame) => chat.getByRole('textbox', { name: /^Message/ })
const tag = (attributes = 'async') => `<script src="${script}" data-label="Ask us" ${attributes}></script>`
/** Script of a tag manager: it makes the element itself. */
const made = (more = '') => `
  const tag = document.createElement('script')
  tag.setAttribute('data-label', 'Ask us')
  ${more}
  tag.src = '${script}'
  document.head.append(tag)`
const policy = (csp: string) => ({ 'content-security-policy': csp })
const chatOrigin = () => new URL(script).origin

test.each<[string, () => HostPage]>([
  ['adds the tag by a script', () => ({ body: `<script>${made()}</script>` })],
  ['adds the tag as a module by a script', () => ({ body: `<script>${made("tag.type = 'module'")}</script>` })],
  ['adds the tag once it has loaded', () => ({ body: `<script>addEventListener('load', () => setTimeout(() => {${made()}}))</script>` })],
  ['writes the tag by document.write', () => ({ body: `<script>document.write('${tag('').replace('</', '<\\/')}')</script>` })],
  ['has the tag async and defer', () => ({ head: tag('async defer') })],
  ['has the tag deferred', () => ({ head: tag('defer') })],
  ['has the tag as a module in the head', () => ({ head: tag('type="module" async') })],
  [
    'has the tag behind the end of the page',
    () => ({ whole: `<!doctype html><html lang="en"><title>A shop</title><body><h1>A shop</h1></body></html>${tag()}` }),
  ],
  ['has no doctype, head or body', () => ({ whole: `<h1>A shop</h1>${tag()}` })],
  [
    'is XHTML',
    () => ({
      headers: { 'content-type': 'application/xhtml+xml' },
      whole: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>A shop</title></head><body><h1>A shop</h1>${tag('async="async"')}</body></html>`,
    }),
  ],
  ['is in Windows-1252', () => ({ headers: { 'content-type': 'text/html; charset=windows-1252' }, body: tag() })],
  ['has a base of another site', () => ({ head: '<base href="https://elsewhere.example/a/" target="_top">', body: tag() })],
  [
    'lists scripts by nonce',
    () => ({
      headers: policy(`default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; frame-src ${chatOrigin()}`),
      body: tag('nonce="abc"'),
    }),
  ],
  [
    'enforces trusted types',
    () => ({ headers: policy(`script-src ${chatOrigin()}; require-trusted-types-for 'script'; trusted-types 'none'`), body: tag() }),
  ],
  ['isolates itself from other origins', () => ({ headers: { 'cross-origin-opener-policy': 'same-origin' }, body: tag() })],
  ['sends no referrer', () => ({ headers: { 'referrer-policy': 'no-referrer' }, body: tag() })],
  ['has small letters', () => ({ head: '<style>html { font-size: 62.5% } body { font: 1.6rem/3 fantasy }</style>', body: tag() })],
  ['unsets every style', () => ({ head: '<style>*, *::before, *::after { all: unset !important }</style>', body: tag() })],
  [
    'reverts, hides and moves every element',
    () => ({
      head: '<style>body, body *, parley-chat { all: revert !important; display: none !important } html > * { visibility: hidden !important; pointer-events: none !important; transition: all 3s !important; animation: none !important; contain: strict !important; inset: 0 !important }</style>',
      body: tag(),
    }),
  ],
  ['fades in', () => ({ head: '<style>html { opacity: 0 !important }</style>', body: tag() })],
  [
    'has a layer over everything',
    () => ({ body: `<div style="position: fixed; inset: 0; z-index: 2147483647; background: #0008"></div>${tag()}` }),
  ],
  [
    'scrolls in an element of its own',
    () => ({
      head: '<style>html, body { height: 100%; overflow: hidden; position: fixed; inset: 0 } h1 { height: 4000px }</style>',
      body: tag(),
    }),
  ],
  ['is written from right to left', () => ({ html: 'dir="rtl" lang="en"', body: tag(), isLeft: true })],
  ['is written in columns', () => ({ head: '<style>html { writing-mode: vertical-rl; text-orientation: upright }</style>', body: tag() })],
  [
    'has an element and a variable of the name',
    () => ({
      body: `<form id="Parley"><input name="add"></form><script>const Prototype = 1; Object.prototype.extra = 1; Array.prototype.extra = 1</script>${tag()}`,
    }),
  ],
  [
    'knows no top layer',
    () => ({
      head: '<script>delete HTMLElement.prototype.showPopover; delete HTMLElement.prototype.hidePopover; delete HTMLElement.prototype.popover</script>',
      body: tag(),
    }),
  ],
  [
    'denies the storage',
    () => ({
      head: "<script>Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError') } })</script>",
      body: tag(),
    }),
  ],
  [
    'removes all that is in its body, again and again',
    () => ({ body: `${tag()}<script>setInterval(() => document.body.replaceChildren(), 20)</script>` }),
  ],
  [
    'empties the document',
    () => ({
      body: `${tag('')}<script>addEventListener('load', () => { document.documentElement.innerHTML = '<head></head><body><h1>Next</h1></body>' })</script>`,
    }),
  ],
])('button and chat are there in a page that %s', async (_, content) => {
  await visit(content())
  const { isLeft } = shown
  await launcher().waitFor()
  const place = () =>
    launcher().evaluate((button) => {
      const { x, y, right, bottom, width, height } = button.getBoundingClientRect()
      const found = document.elementFromPoint(x + width / 2, y + height / 2)?.localName
      return { left: x, right: document.documentElement.clientWidth - right, bottom: innerHeight - bottom, height, found }
    })
  await expect.poll(place).toMatchObject({ [isLeft ? 'left' : 'right']: 16, bottom: 16, height: 48, found: 'parley-chat' })
  expect(await page.locator('parley-chat').count()).toBe(1)
  await launcher().click()
  const chat = await chatFrame()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  stage.model.script([{ text: 'We open at nine.' }])
  await composer(chat).fill('When do you open?')
  await composer(chat).press('Enter')
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  expect([faults, [...asked].toSorted()]).toEqual([[], [origin, chatOrigin()].toSorted()])
})

test('a page whose dialog keeps the focus lets the visitor write to the chat', async () => {
  const trap = `<div id="dialog" tabindex="-1"><button>OK</button></div><script>
    document.addEventListener('focusin', ({ target }) => document.getElementById('dialog').contains(target) || document.getElementById('dialog').focus())
    addEventListener('keydown', (event) => event.preventDefault())
    addEventListener('click', (event) => event.preventDefault())
  </script>`
  await visit({ body: `${trap}${tag()}` })
  await launcher().focus()
  await page.keyboard.press('Enter')
  const chat = await chatFrame()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  await composer(chat).click()
  await page.keyboard.type('When')
  expect(await composer(chat).inputValue()).toBe('When')
})

test('a page in a sandbox without an origin of its own says so at once, and links to the chat', async () => {
  await visit({ headers: policy('sandbox allow-scripts'), body: tag() })
  await launcher().click()
  await page.getByRole('link', { name: 'Ask us' }).waitFor()
  expect(faults.join()).toContain('the origin null is not listed')
})
