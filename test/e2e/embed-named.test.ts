import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { refusedStart } from '../support/server.ts'
import { isStored } from '../support/stored-text.ts'
import { openStage, type Stage } from './stage.ts'

/** Code blocks of the documentation in a language. */
const snippets = (language: string): string[] =>
  [...readFileSync('docs/embedding.md', 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, of, code = '']) =>
    of === language ? code : [],
  )

/** The example of the documentation, on the test's site, and an embed of another one. */
const embeds = () => `${snippets('yaml').join('').replace('https://library.example.org', origin)}
elsewhere:
  origins: [https://elsewhere.example]
`
type ParleyWindow = Window & { Parley: { push(...calls: unknown[][]): void } }

let server: Server
let origin = ''
let html = ''
let agents = ''
let stage: Stage
let script = ''
let page: Page
let chat: FrameLocator
const errors: string[] = []

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  agents = agentsWith(embeds())
  stage = await openStage(await launchBrowser(), { FRAME_ANCESTORS: origin, AGENTS_DIR: agents })
  script = `http://localhost:${new URL(stage.server.url).port}/embed.js`
})
afterAll(async () => {
  await stage.close()
  server.close()
  rmSync(agents, { recursive: true })
})
afterEach(() => page?.context().close())

function agentsWith(yaml: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-agents-'))
  cpSync('agents', folder, { recursive: true })
  writeFileSync(join(folder, 'embeds.yaml'), yaml)
  return folder
}

const tag = (attributes: string) => `<script src="${script}" ${attributes} async></script>`

async function visit(body: string, { attributes = 'lang="en"', ...options }: BrowserContextOptions & { attributes?: string } = {}) {
  html = `<!doctype html><html ${attributes}><head><title>A shop</title></head><body><h1>A shop</h1>${body}</body></html>`
  page = await (await stage.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage()
  chat = page.frameLocator('parley-chat iframe')
  errors.length = 0
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(origin)
}

const button = (name: string) => page.getByRole('button', { name })
const accept = () => chat.getByRole('button', { name: 'Accept and continue', exact: true })
const parley = (...calls: unknown[][]) => page.evaluate((made) => (window as unknown as ParleyWindow).Parley.push(...made), calls)

test('the snippets of the documentation work as they are', async () => {
  const tags = snippets('html').map((snippet) => snippet.replace('https://chat.example.org/embed.js', script))
  await visit(tags[0]!)
  await button('Ask us').waitFor()
  await page.evaluate((src) => document.body.append(document.createRange().createContextualFragment(src)), tags[1]!)
  await button('Ask the library').waitFor()
  expect(snippets('js')).toHaveLength(3)
  for (const code of snippets('js')) await page.evaluate(`{ ${code} }`)
  await page.getByRole('dialog', { name: 'Ask us' }).waitFor()
  await page.getByRole('dialog', { name: 'Ask the library' }).waitFor()
  expect(errors).toEqual([])
})

test('a named embed has the label, greeting, starters and colour of the file, read in one request without cookies', async () => {
  const requests: { url: string; cookie: string | undefined }[] = []
  await visit('')
  page.on('request', async (request) => requests.push({ url: request.url(), cookie: (await request.allHeaders())['cookie'] }))
  html = html.replace('</body>', `${tag('data-embed="library"')}</body>`)
  await page.reload()
  await button('Ask the library').waitFor()
  const asked = requests.filter(({ url }) => url.startsWith(new URL(script).origin))
  expect(asked.map(({ url, cookie }) => [new URL(url).pathname, cookie])).toEqual([
    ['/embed.js', undefined],
    ['/embed-settings.js', undefined],
  ])
  const background = () => button('Ask the library').evaluate((element) => getComputedStyle(element).backgroundColor)
  const light = await background()
  await button('Ask the library').click()
  await chat.getByRole('heading', { name: 'What are you looking for?' }).waitFor()
  expect(await chat.locator('.starters li').allInnerTexts()).toEqual(['Can I extend a loan?', 'When are you open?'])
  await parley(['theme', 'dark'])
  expect(await background()).not.toBe(light)
})

test('a named embed speaks the language of the page, and attributes of the tag come first', async () => {
  await visit(tag('data-embed="library"'), { attributes: 'lang="de-AT"' })
  await button('Bücherei fragen').click()
  await chat.getByRole('heading', { name: 'Was suchen Sie?' }).waitFor()
  await page.context().close()
  await visit(tag('data-embed="library" data-label="Help"'))
  await button('Help').waitFor()
  expect(await button('Ask the library').count()).toBe(0)
})

test('a named embed is shown on its own origins only', async () => {
  await visit(tag('data-embed="elsewhere" data-label="Help"'))
  await button('Help').click()
  await page.getByRole('link', { name: 'Help' }).waitFor()
  expect(errors.join()).toContain(`the origin ${origin} is not listed`)
  const policyOf = async (query: string) => (await fetch(`${stage.server.url}/${query}`)).headers.get('content-security-policy')
  expect(await policyOf('?embed=elsewhere')).toContain("frame-ancestors 'self' https://elsewhere.example;")
  expect(await policyOf('?embed=library')).toContain(`frame-ancestors 'self' ${origin};`)
})

test('an embed that isn’t in the file shows nothing, and the console says so', async () => {
  await visit(tag('data-embed="nobody"'))
  await expect.poll(() => errors.join()).toContain('there is no embed "nobody"')
  expect(await page.locator('parley-chat').count()).toBe(0)
})

test('a mistake in the file stops the start with its place', async () => {
  const folder = agentsWith('library:\n  color: red\n  origin: [https://a.example]\n  origins: [https://a.example/path]\nNo Name: {}\n')
  const { code, output } = await refusedStart({ database: 'sqlite', env: { AGENTS_DIR: folder } })
  expect(code).not.toBe(0)
  for (const mistake of [
    'library.color must be a colour',
    'library.origins.0 must be an origin',
    'library has no key origin',
    '"No Name" must be a name',
  ])
    expect(output).toContain(`embeds.yaml: ${mistake}`)
  rmSync(folder, { recursive: true })
})

test('with two embeds in a page, a call can name the one it is for', async () => {
  const queue = `<script>(window.Parley ||= []).push(['library', 'open'])</script>`
  await visit(`${queue}${tag('data-label="Ask us"')}${tag('data-embed="library" data-side="start"')}`)
  await button('Ask us').waitFor()
  await button('Ask the library').waitFor()
  await page.getByRole('dialog', { name: 'Ask the library' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await parley(['library', 'close'], ['open'])
  await page.getByRole('dialog', { name: 'Ask us' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(errors).toEqual([])
})

test('one header: the chat’s own, with a ×; the button is a × too; notice, greeting and starters fit', async () => {
  await visit(tag('data-embed="library"'))
  await button('Ask the library').click()
  await accept().waitFor()
  const panel = page.getByRole('dialog')
  await expect.poll(() => panel.locator('.bar').isVisible()).toBe(false)
  expect(await button('Ask the library').getByText('Ask the library').isVisible()).toBe(false)
  expect(await button('Ask the library').boundingBox()).toMatchObject({ width: 48, height: 48 })
  const { height } = (await panel.boundingBox())!
  expect(height).toBe(660)
  const isSeen = { ratio: 1 }
  for (const seen of [accept(), chat.getByRole('heading', { name: 'What are you looking for?' }), chat.locator('.starters li').last()])
    expect(await ratioInView(seen)).toEqual(isSeen)
  // None lies under the message box.
  const [starter, dock] = [await chat.locator('.starters li').first().boundingBox(), await chat.locator('.composer').boundingBox()]
  expect(starter!.y).toBeGreaterThanOrEqual(dock!.y + dock!.height)
  await chat.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => panel.isVisible()).toBe(false)
  await expect.poll(() => button('Ask the library').getByText('Ask the library').isVisible()).toBe(true)
})

const ratioInView = (locator: ReturnType<FrameLocator['locator']>) =>
  locator.evaluate(
    (element) =>
      new Promise<{ ratio: number }>((resolve) =>
        new IntersectionObserver(([entry], observer) => {
          observer.disconnect()
          resolve({ ratio: entry!.intersectionRatio })
        }).observe(element),
      ),
  )

test.each(['light', 'dark'] as const)('a host’s colour reaches the chat, with a contrast of 4.5 : 1 on its grounds: %s', async (theme) => {
  await visit(tag(`data-label="Ask us" data-color="yellow" data-theme="${theme}"`))
  await button('Ask us').click()
  await accept().waitFor()
  const steps = [0, 51, 119, 153, 204, 255]
  const colors = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `rgb(${red} ${green} ${blue})`)))
  const root = chat.locator('html')
  await expect.poll(() => root.evaluate(({ style }) => style.getPropertyValue('--host-color'))).toBe('rgb(255, 255, 0)')
  const worst = await root.evaluate(({ style }, tried) => {
    const sample = document.body.appendChild(document.createElement('span'))
    const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
    const luminance = (color: string) => {
      sample.style.color = color
      pixel.fillStyle = getComputedStyle(sample).color
      pixel.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = [...pixel.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    const ratios = tried.map((color) => {
      style.setProperty('--host-color', color)
      const accent = luminance('var(--accent)')
      const grounds = ['var(--paper)', 'var(--raised)', 'var(--tint)', 'var(--on-accent)', 'light-dark(#ebf1ee, #0b100e)']
      return Math.min(...grounds.map((ground) => contrast(accent, luminance(ground))))
    })
    return Math.min(...ratios)
  }, colors)
  expect(worst).toBeGreaterThanOrEqual(4.5)
})

test('an element of the page opens the chat instead of a button, and gets the focus back', async () => {
  await visit(`<a id="help" href="/contact">Help</a>${tag('data-label="Ask us" data-trigger="#help"')}`)
  await page.locator('parley-chat').waitFor({ state: 'attached' })
  expect(await button('Ask us').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Help' }).click()
  await chat.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('help')
})

test('an inline chat stands in an element of the page, also in one that comes later, without a button or ×', async () => {
  await visit(tag('data-label="Ask us" data-inline="#box"'))
  await page.waitForFunction(() => 'Parley' in window && 'add' in (window.Parley as object))
  await page.evaluate(() => {
    const box = document.body.appendChild(document.createElement('div'))
    Object.assign(box, { id: 'box' })
    box.style.cssText = 'width: 600px; height: 620px'
  })
  await accept().click()
  expect(await page.locator('#box iframe').boundingBox()).toMatchObject({ width: 598, height: 618 })
  expect([await button('Ask us').isVisible(), await chat.getByRole('button', { name: 'Close', exact: true }).count()]).toEqual([false, 0])
  stage.model.script([{ text: 'We open at nine.' }])
  await chat.getByRole('textbox', { name: /^Message/ }).fill('When do you open?')
  await chat.getByRole('textbox', { name: /^Message/ }).press('Enter')
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  // A router draws the element again.
  await page.evaluate(() => {
    const body = document.createElement('body')
    body.append(Object.assign(document.createElement('div'), { id: 'box' }))
    document.body.replaceWith(body)
  })
  await chat.locator('article.agent').getByText('We open at nine.').waitFor()
  expect(await page.locator('#box iframe').count()).toBe(1)
})

test('an answer that ends while the panel is closed marks the button until it is opened', async () => {
  await visit(tag('data-label="Ask us"'))
  await button('Ask us').click()
  await accept().click()
  const { promise: isClosed, resolve: onClosed } = Promise.withResolvers<void>()
  stage.model.script([{ text: 'We open' }, { until: isClosed }, { text: ' at nine.' }])
  await chat.getByRole('textbox', { name: /^Message/ }).fill('When do you open?')
  await chat.getByRole('textbox', { name: /^Message/ }).press('Enter')
  await chat.locator('article.agent').getByText('We open').waitFor()
  const isMarked = () => page.locator('parley-chat .launcher').evaluate((element) => element.hasAttribute('data-unread'))
  expect(await isMarked()).toBe(false)
  await parley(['close'])
  onClosed()
  await expect.poll(isMarked).toBe(true)
  await page.getByRole('button', { name: 'Ask us AI (1)', exact: true }).waitFor()
  await button('Ask us').click()
  expect(await isMarked()).toBe(false)
})

describe('the context of the page', () => {
  const CONTEXT = {
    page: 'https://shop.example.org/loans?session=hidden42#top',
    title: 'Extending a loan',
    account: 'Pay to DE89 3704 0044 0532 0130 00',
    long: 'x'.repeat(3000),
    number: 4711,
  }
  const SHOWN = [
    ['page', 'https://shop.example.org/loans'],
    ['title', 'Extending a loan'],
  ]

  async function openWithContext(): Promise<void> {
    await visit(`<script>(window.Parley ||= []).push(['context', ${JSON.stringify(CONTEXT)}])</script>${tag('data-label="Ask us"')}`)
    await button('Ask us').click()
    await accept().click()
    await chat.getByText('Page: Extending a loan').waitFor()
  }

  async function ask(prompt: string): Promise<string> {
    stage.model.script([{ text: `An answer to ${prompt}` }])
    await chat.getByRole('textbox', { name: /^Message/ }).fill(prompt)
    await chat.getByRole('textbox', { name: /^Message/ }).press('Enter')
    await chat.locator('article.agent').getByText(`An answer to ${prompt}`).waitFor()
    return JSON.stringify(stage.model.requests.at(-1))
  }

  test('is seen above the message box, and goes to the model as untrusted, without query, fragment and personal data', async () => {
    const bodies: string[] = []
    await openWithContext()
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    await chat.getByText('Page: Extending a loan').click()
    for (const [key, value] of SHOWN) await chat.locator('dl div', { hasText: key! }).getByText(value!, { exact: true }).waitFor()
    expect(await ask('Until when?')).toMatch(/Untrusted content.*https:\/\/shop\.example\.org\/loans\\.*Extending a loan/)
    expect(bodies.join()).toContain('Extending a loan')
    const sent = bodies.join() + JSON.stringify(stage.model.requests)
    expect(sent.match(/hidden42|#top|3704|4711/g)).toBeNull()
    // Nothing of it is stored, and the visitor's message shows what the visitor wrote.
    expect([await isStored(stage.server, 'Until when?'), await isStored(stage.server, 'Extending a loan')]).toEqual([true, false])
    expect(await chat.locator('article.human .bubble').innerText()).toBe('Until when?')
  })

  test('goes along with another answer to the same prompt', async () => {
    await openWithContext()
    await ask('Until when?')
    const before = stage.model.requests.length
    stage.model.script([{ text: 'Another answer' }])
    await chat.getByRole('button', { name: 'Try again' }).click()
    await chat.locator('article.agent').getByText('Another answer').waitFor()
    expect(stage.model.requests.length).toBeGreaterThan(before)
    expect(JSON.stringify(stage.model.requests.at(-1))).toContain('Extending a loan')
  })

  test('stays away once the visitor has removed it, also when the page says more', async () => {
    await openWithContext()
    await chat.getByRole('button', { name: 'Don’t send page details' }).click()
    await parley(['context', { title: 'Another page' }])
    expect(await ask('Until when?')).not.toMatch(/Extending a loan|Another page/)
    expect(await chat.getByText(/^Page: /).count()).toBe(0)
  })
})

test('the demo page opens the chat, whatever sites are listed', async () => {
  await visit('')
  await page.goto(`${stage.server.url}/embed-demo.html`)
  await button('Ask us').click()
  await accept().waitFor()
  expect(errors).toEqual([])
})
