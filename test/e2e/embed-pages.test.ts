import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage } from './stage.ts'

/** Each page is tried so often, in a new browser context; `EMBED_RUNS` says how often instead. */
const RUNS = Number(process.env['EMBED_RUNS'] ?? 3)

type ParleyWindow = Window & {
  Parley: { push(...calls: unknown[][]): void } & Record<string, (...values: unknown[]) => void>
  seen: string[]
}

let server: Server
let origin = ''
let stage: Stage
let script = ''
let page: Page
let chat: FrameLocator
const faults: string[] = []

/** HTML of the host's pages, by path. What comes after `HOLD` is sent when the test releases it. */
const pages = new Map<string, string>()
const HOLD = '<!-- hold -->'
let held = Promise.withResolvers<void>()
const ROUTERS: Readonly<Record<string, string>> = {
  '/turbo.js': fileURLToPath(import.meta.resolve('@hotwired/turbo').replace('esm.js', 'umd.js')),
  '/htmx.js': join(import.meta.dirname, '../../node_modules/htmx.org/dist/htmx.js'),
}

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8')
    const router = ROUTERS[url]
    if (router) return void response.end(readFileSync(router))
    if (url === '/blocking.js') return void response.end('window.blocking = true')
    if (url === '/held.js') return void held.promise.then(() => response.end(''))
    const [start = '', end] = (pages.get(url) ?? '').split(HOLD)
    response.write(start)
    if (end === undefined) return void response.end()
    return void held.promise.then(() => response.end(end))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stage = await openStage(await launchBrowser(), { FRAME_ANCESTORS: origin })
  script = `http://localhost:${new URL(stage.server.url).port}/embed.js`
})
afterAll(async () => {
  held.resolve()
  await stage.close()
  server.close()
})
afterEach(() => page.context().close())

const tag = (attributes = 'async', label = 'Ask us') => `<script src="${script}" data-label="${label}" ${attributes}></script>`
const html = (head: string, body: string, attributes = 'lang="en"') =>
  `<!doctype html><html ${attributes}><head><title>A shop</title>${head}</head><body>${body}</body></html>`

async function visit(content: string, options: BrowserContextOptions = {}): Promise<void> {
  pages.set('/', content)
  page = await (await stage.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage()
  chat = page.frameLocator('parley-chat iframe')
  faults.length = 0
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(origin, { waitUntil: 'commit' })
}

const launcher = (name = 'Ask us') => page.getByRole('button', { name })
const panel = (name = 'Ask us') => page.getByRole('dialog', { name })
const composer = () => chat.getByRole('textbox', { name: /^Message/ })
/** Not by animation frames: a page without a body has none. */
const scriptHasRun = () =>
  page.waitForFunction(() => 'add' in ((window as unknown as ParleyWindow).Parley ?? {}), undefined, { polling: 50 })
const parley = (...calls: unknown[][]) => page.evaluate((made) => (window as unknown as ParleyWindow).Parley.push(...made), calls)

/** The button, where the visitor sees it: in the corner of the window, on top, opaque. */
async function expectButtonInCorner(): Promise<void> {
  await launcher().waitFor()
  const { width, height } = page.viewportSize()!
  const found = await launcher().evaluate((button) => {
    const { x, y, right, bottom, width: wide, height: high } = button.getBoundingClientRect()
    const onTop = document.elementFromPoint(x + wide / 2, y + high / 2)?.localName
    const host = (button.getRootNode() as ShadowRoot).host
    return { right, bottom, onTop, opacity: getComputedStyle(host).opacity, buttons: document.querySelectorAll('parley-chat').length }
  })
  const scrollbar = width - (await page.evaluate(() => document.documentElement.clientWidth))
  expect(found).toEqual({ right: width - scrollbar - 16, bottom: height - 16, onTop: 'parley-chat', opacity: '1', buttons: 1 })
  expect(faults).toEqual([])
}

async function openChat(): Promise<void> {
  await launcher().click()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  await composer().waitFor()
}

async function ask(prompt: string, answer: string): Promise<void> {
  stage.model.script([{ text: answer }])
  await composer().fill(prompt)
  await composer().press('Enter')
  await chat.locator('article.agent').getByText(answer).waitFor()
}

describe.each(Array.from({ length: RUNS }, (_, run) => run + 1))('run %i', () => {
  const BLOCKING = '<script src="/blocking.js"></script>'
  test.each([
    [
      'in the head, before and after blocking scripts, and a body that comes late',
      () => html(`${BLOCKING}${tag()}<script src="/held.js"></script>`, '<h1>A shop</h1>'),
    ],
    ['in the head of a page whose body is held back', () => html(`${BLOCKING}${tag()}${HOLD}${BLOCKING}`, '<h1>A shop</h1>')],
    ['not async, in the head', () => html(`${tag('')}${HOLD}`, '<h1>A shop</h1>')],
    ['as a module, in the body', () => html('', `<h1>A shop</h1>${tag('type="module"')}`)],
  ])('the button appears: %s', async (_, content) => {
    held = Promise.withResolvers()
    const text = content()
    await visit(text)
    await scriptHasRun()
    expect(await page.evaluate(() => document.body === null)).toBe(/held\.js|<!-- hold/.test(text))
    held.resolve()
    await expectButtonInCorner()
  })

  test.each([
    ['Turbo', '/turbo.js', ''],
    ['htmx', '/htmx.js', ' hx-boost:inherited="true"'],
  ])('an open chat goes on while %s changes the page', async (_, router, boost) => {
    const content = (title: string) =>
      html(`<script src="${router}" defer></script>`, `<h1>${title}</h1><a href="/next">Next</a>${tag()}`).replace('<body', `<body${boost}`)
    pages.set('/next', content('Second'))
    await visit(content('First'))
    await expectButtonInCorner()
    await openChat()
    await ask('When do you open?', 'We open at nine.')
    await composer().fill('And')
    await page.evaluate(() => ((window as unknown as ParleyWindow).seen = ['not reloaded']))
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    // The same frame, with what was typed.
    expect(await composer().inputValue()).toBe('And')
    await ask('And when do you close?', 'We close at six.')
    await page.goBack()
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await chat.locator('article.agent').getByText('We close at six.').waitFor()
    expect(await page.evaluate(() => (window as unknown as ParleyWindow).seen)).toEqual(['not reloaded'])
    await expectButtonInCorner()
  })

  test.each([
    ['replaces the body', () => document.body.replaceWith(document.createElement('body'))],
    // What Astro's router does: swaps the attributes of the page, its head and its body in a view transition.
    [
      'swaps attributes, head and body in a view transition',
      () =>
        document.startViewTransition(() => {
          const root = document.documentElement
          for (const name of root.getAttributeNames()) root.removeAttribute(name)
          document.head.replaceChildren()
          document.body.replaceWith(document.createElement('body'))
        }).finished,
    ],
  ])('an open chat stays when a router %s', async (_, change) => {
    await visit(html('', `<h1>A shop</h1>${tag()}`))
    await openChat()
    await composer().fill('When')
    await page.evaluate(change)
    expect(await page.getByRole('heading', { name: 'A shop' }).count()).toBe(0)
    expect([await panel().isVisible(), await composer().inputValue()]).toEqual([true, 'When'])
    await expectButtonInCorner()
  })

  test('button and chat come back when the whole document is replaced', async () => {
    await visit(html('', `<h1>A shop</h1>${tag()}`))
    await openChat()
    await ask('When do you open?', 'We open at nine.')
    await page.evaluate(() => {
      const next = new DOMParser().parseFromString('<!doctype html><title>Next</title><h1>Next</h1>', 'text/html')
      document.replaceChild(document.adoptNode(next.documentElement), document.documentElement)
    })
    await page.getByRole('heading', { name: 'Next' }).waitFor()
    await chat.locator('article.agent').getByText('We open at nine.').waitFor()
    await expectButtonInCorner()
  })

  test.each([
    [':not(:defined) { visibility: hidden } *:not(:defined) { display: none !important }'],
    ['body { transform: translateZ(0); filter: blur(0); min-height: 3000px; zoom: 1.5 }'],
    [
      'html { transform: scale(1); display: grid; gap: 40px } html > *, body > * { position: relative !important; opacity: 0.3 !important; margin: 40px }',
    ],
    ['button { display: none !important } #top { position: fixed; inset: 0; z-index: 2147483647 }'],
  ])('the button stays in its corner under %s', async (css) => {
    await visit(html(`<style>${css}</style>`, `<h1>A shop</h1><div id="top"></div>${tag()}`))
    await expectButtonInCorner()
    expect(await page.locator(':not(:defined)').count()).toBe(0)
    await launcher().click()
    await panel().waitFor()
  })

  test('is hidden on paper, and fits a narrow window with a long label', async () => {
    const label = 'Bundesverwaltungsangelegenheitenauskunftsassistent der Gemeinde fragen'
    await visit(html('', `<h1>A shop</h1>${tag('async', label)}`), { viewport: { width: 320, height: 640 } })
    const { x, width } = (await launcher(label).boundingBox())!
    expect([x >= 16, x + width <= 304, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([true, true, 320])
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('parley-chat .launcher').isVisible()).toBe(false)
  })

  test.each([
    ['light', 'style="color-scheme: dark"', 'dark'],
    ['dark', 'style="color-scheme: light"', 'light'],
    ['dark', '', 'light'],
    ['light', 'data-theme="dark"', 'dark'],
    ['light', 'class="dark"', 'dark'],
    ['dark', 'style="color-scheme: light dark"', 'dark'],
  ] as const)('on a %s system, in a page with %o, panel and chat are %s', async (colorScheme, attributes, drawn) => {
    await visit(html('', `<h1>A shop</h1>${tag()}`, attributes), { colorScheme })
    await launcher().click()
    const scheme = () => chat.locator('html').evaluate((element) => element.style.colorScheme)
    await expect.poll(scheme).toBe(drawn)
    const background = () => panel().evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(await background()).toBe(drawn === 'dark' ? 'rgb(16, 22, 20)' : 'rgb(255, 255, 255)')
    // It follows a page that changes.
    const other = drawn === 'dark' ? 'light' : 'dark'
    await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), other)
    await page.evaluate(() => document.documentElement.removeAttribute('class'))
    await expect.poll(scheme).toBe(other)
    expect(await background()).toBe(other === 'dark' ? 'rgb(16, 22, 20)' : 'rgb(255, 255, 255)')
  })

  test.each(['async', 'type="module"'])('two tags with %s are two chats, in two corners; the same tag again is none', async (kind) => {
    const errors: string[] = []
    const second = tag(`${kind} data-side="start"`, 'Ask the library')
    await visit(html('', `<h1>A shop</h1>${tag(kind)}${second}${tag(kind)}`))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await launcher('Ask the library').waitFor()
    await launcher().waitFor()
    expect(await page.locator('parley-chat').count()).toBe(2)
    const [start, end] = [(await launcher('Ask the library').boundingBox())!, (await launcher().boundingBox())!]
    expect([start.x, end.x + end.width]).toEqual([16, 1264])
    await launcher('Ask the library').click()
    await launcher().click()
    expect([await panel('Ask the library').isVisible(), await panel().isVisible()]).toEqual([true, true])
    await page.evaluate((src) => {
      const added = document.createElement('script')
      Object.assign(added, { src })
      document.body.append(added)
    }, script)
    await expect.poll(() => errors.join()).toContain('on the same side')
  })
})

test('what the page calls before the script has run happens then, and events say what happens without a text', async () => {
  held = Promise.withResolvers()
  const queue = `<script>
    window.seen = []
    for (const event of ['ready', 'opened', 'closed', 'answered', 'unread'])
      (window.Parley ||= []).push(['on', event, (...given) => seen.push([event, ...given].join())])
    window.Parley.push(['ask', 'When do you open?'], ['nonsense'])
  </script>`
  await visit(html(`${queue}${tag()}${HOLD}`, '<h1>A shop</h1>'))
  await scriptHasRun()
  held.resolve()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).waitFor()
  const seen = () => page.evaluate(() => (window as unknown as ParleyWindow).seen)
  await expect.poll(async () => (await seen()).toSorted()).toEqual(['opened', 'ready'])
  // Nothing is stored or sent before consent.
  expect(await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([0, 0, ''])
  expect(await chat.locator('article').count()).toBe(0)
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).click()
  await parley(['ask', 'Where are you?'])
  // Both texts wait for the visitor, who sends with one press.
  const send = chat.getByRole('button', { name: 'Send', exact: true })
  await expect.poll(() => send.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await chat.locator('article').count()).toBe(0)
  const { promise: isClosed, resolve: onClosed } = Promise.withResolvers<void>()
  stage.model.script([{ text: 'At the market,' }, { until: isClosed }, { text: ' from nine.' }])
  await send.press('Enter')
  await chat.locator('article.human').getByText('Where are you?').waitFor()
  await chat.locator('article.agent').getByText('At the market,').waitFor()
  await parley(['close'])
  onClosed()
  await expect.poll(async () => (await seen()).slice(2)).toEqual(['closed', 'answered', 'unread'])
})

test('the page opens, closes, hides, shows and removes the chat; nothing stays of it', async () => {
  await visit(html('', `<h1>A shop</h1>${tag()}`))
  await launcher().waitFor()
  await parley(['toggle'])
  await panel().waitFor()
  await parley(['toggle'])
  expect(await panel().isVisible()).toBe(false)
  await parley(['hide'])
  expect(await launcher().isVisible()).toBe(false)
  await parley(['show'])
  await openChat()
  expect(await page.evaluate(() => Object.entries(sessionStorage))).toEqual([['parley-open', 'true']])
  await parley(['destroy'], ['open'])
  expect(await page.evaluate(() => [document.querySelectorAll('parley-chat').length, sessionStorage.length])).toEqual([0, 0])
  await page.evaluate(() => document.body.replaceWith(document.createElement('body')))
  expect(await page.locator('parley-chat').count()).toBe(0)
  expect(faults).toEqual([])
})

test.each(['trigger', 'inline'])('goes on without a selector in data-%s that is none, and says so in the console, once', async (name) => {
  const errors: string[] = []
  held = Promise.withResolvers()
  await visit(html('', `<h1>A shop</h1>${HOLD}${tag(`data-${name}="##x" data-color="no colour" data-theme="no theme" data-lang="!!"`)}`))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  held.resolve()
  await launcher().click()
  await chat.getByRole('button', { name: 'Accept and continue', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'A shop' }).click()
  expect([errors, faults]).toEqual([[`Parley: data-${name} is not a CSS selector: ##x`], []])
})

test('the button’s text has a contrast of 4.5 : 1 on any colour of the host', async () => {
  await visit(html('<style>:root { --brand: gold }</style>', `<h1>A shop</h1>${tag('async data-color="yellow"')}`))
  await launcher().waitFor()
  const steps = [0, 51, 102, 119, 153, 204, 255]
  const grid = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `rgb(${red} ${green} ${blue})`)))
  const others = [
    'yellow',
    'var(--brand)',
    'oklch(0.7 0.1 150)',
    'color(display-p3 0.2 0.5 0.6)',
    'rgb(255 255 0 / 0.2)',
    'transparent',
    'no colour',
  ]
  const luminances = await page.locator('parley-chat').evaluate(
    (host, colors) => {
      const button = host.shadowRoot!.querySelector('.launcher')!
      const luminance = (color: string) => Number(color.split(' ')[2])
      return colors.map((color): [string, number, number] => {
        ;(host as HTMLElement).style.setProperty('--parley-color', color)
        const { color: text, backgroundColor } = getComputedStyle(button)
        return [color, luminance(text), luminance(backgroundColor)]
      })
    },
    [...grid, ...others],
  )
  const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  expect(luminances.filter(([, text, background]) => !(contrast(text, background) >= 4.5))).toEqual([])
})

test('the script weighs at most 5 kB gzipped', async () => {
  await visit(html('', '<h1>A shop</h1>'))
  const text = await (await page.request.get(script)).text()
  expect(gzipSync(text).length).toBeLessThanOrEqual(5 * 1024)
})
