import { readFileSync } from 'node:fs'
import type { Frame } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchOwnBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchOwnBrowser({ isWhole: true }))
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``
const drawings = () => visitor.answers.locator('.drawing img')
const frames = () => visitor.page.frames().filter((frame) => frame.url().includes('/assets/diagram-'))

test('draws a diagram once its code is complete, in the page’s colours, and shows the code on demand', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const rest = Promise.withResolvers<void>()
  stage.model.script([
    { text: '```mermaid\npie title Pets\n  "Dogs": 3' },
    { until: rest.promise },
    { text: '\n  "Cats": 2\n```\n\nThat is all.' },
  ])
  await visitor.send('Draw my pets')
  await visitor.answers.locator('.code', { hasText: 'pie title Pets' }).waitFor()
  expect(frames()).toEqual([])
  rest.resolve()
  const drawing = visitor.answers.getByRole('img', { name: 'Pets' })
  await drawing.waitFor()
  expect(await drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  const light = await drawing.getAttribute('src')
  await visitor.button('Dark').click()
  await expect.poll(() => drawing.getAttribute('src')).not.toBe(light)
  await visitor.button('Code').click()
  await visitor.answers.locator('.diagram pre').getByText('"Cats": 2').waitFor()
  await expect.poll(() => drawing.count()).toBe(0)
  await visitor.button('Diagram').click()
  await drawing.click()
  const viewer = visitor.page.getByRole('dialog', { name: 'Pets' })
  await viewer.getByRole('img', { name: 'Pets' }).waitFor()
  const [download] = await Promise.all([
    visitor.page.waitForEvent('download'),
    viewer.getByRole('link', { name: 'Download diagram.svg' }).click(),
  ])
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/^<svg .*Dogs/s)
  await visitor.page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await expect.poll(() => visitor.button('Enlarge').evaluate((button) => button === document.activeElement)).toBe(true)
  expect(visitor.faults).toEqual([])
})

/** Attempts: scripts in labels and links, unsafe settings, foreign styles and images. */
const HOSTILE = [
  `flowchart LR\n A["<img src=x onerror=top.broken=1>"] --> B["<script>top.broken=1</script>"]\n click A href "javascript:top.broken=1"\n click B call top.alert(1)`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "*{background:url(https://evil.example/1)}"}}%%\nflowchart LR\n A["<iframe src=https://evil.example/2></iframe>"] --> B["<style>@import '//evil.example/3'</style>"]`,
  `---\nconfig:\n  securityLevel: loose\n  secure: []\n  themeVariables:\n    primaryColor: "red;background:url(//evil.example/4)"\n---\nsequenceDiagram\n A->>B: <a href='https://evil.example/5'>x</a>\n link A: There @ https://evil.example/6`,
  `flowchart LR\n A@{ img: "https://evil.example/7", label: "x" } --> B`,
]

/** Active content in a standalone SVG. */
const ACTIVE = /<(?:script|iframe|foreignObject)|<[^>]*\s(?:href|xlink:href|on\w+)=|url\((?!["']?#)|@import/i

test('a hostile diagram runs no script, loads nothing, and navigates nowhere', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  const reached: string[] = []
  await page.context().route(/evil\.example/, async (route) => {
    reached.push(route.request().url())
    await route.abort()
  })
  await visitor.enter()
  stage.model.script([{ text: HOSTILE.map(fenced).join('\n\n') }])
  await visitor.ask('Break out')
  await visitor.answers.getByText('This diagram can’t be drawn').waitFor()
  await expect.poll(() => drawings().count()).toBe(3)
  await visitor.drawn()
  for (const drawing of await drawings().all()) {
    await drawing.click()
    await page.locator('.viewer img').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.viewer').waitFor({ state: 'detached' })
  }
  // A script in the frame couldn't either.
  await frames()[0]!.evaluate(() => {
    location.href = 'https://evil.example/8'
  })
  await visitor.drawn()
  expect(reached).toEqual([])
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
  expect(page.context().pages()).toHaveLength(1)
  const pictures = await drawings().evaluateAll((all) => all.map((image) => decodeURIComponent((image as HTMLImageElement).src)))
  expect(pictures.join('').match(ACTIVE)).toBeNull()
})

/** Attempts of a script in the frame, and whether they succeed. */
const reachOf = (frame: Frame) =>
  frame.evaluate(async () => {
    const allowed = async (attempt: () => unknown) => {
      try {
        await attempt()
        return true
      } catch {
        return false
      }
    }
    return {
      origin: self.origin,
      cookies: await allowed(() => document.cookie),
      storage: await allowed(() => localStorage.length),
      databases: await allowed(() => indexedDB.open('x')),
      page: await allowed(() => parent.document.title),
      requests: await allowed(() => fetch('/api/v1/config')),
      windows: await allowed(() => window.open('/')!.closed),
      navigation: await allowed(() => ((top as Window).location.href = 'https://evil.example/')),
    }
  })

/** Shortens the page's next timer of this length. */
function endWaitSoon(milliseconds: number): void {
  const wait = globalThis.setTimeout.bind(globalThis)
  globalThis.setTimeout = ((act: () => void, ms: number) => {
    if (ms !== milliseconds) return wait(act, ms)
    globalThis.setTimeout = wait
    return wait(act, 500)
  }) as unknown as typeof globalThis.setTimeout
}

test('the diagram frame has no access to the page, and is removed when a diagram hangs', async () => {
  visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  stage.model.script([{ text: fenced('pie\n "a": 1') }])
  await visitor.ask('Draw')
  await drawings().waitFor()
  const nothing = { cookies: false, storage: false, databases: false, page: false, requests: false, windows: false, navigation: false }
  expect(await reachOf(frames()[0]!)).toEqual({ origin: 'null', ...nothing })
  // Mermaid iterates over every day since the year 202.
  const endless = 'gantt\n dateFormat YYYY-MM-DD\n excludes 2025-01-01\n a : 2024-12-01, 7d\n b : 0202-12-01, 99999999d'
  stage.model.script([{ text: `${fenced(endless)}\n\n${fenced('pie\n "after": 1')}` }])
  await page.evaluate(endWaitSoon, 5_000)
  await visitor.ask('Hang')
  // The page stays responsive and draws the next diagram in a new frame.
  await visitor.answers.getByText('This diagram took too long to draw').waitFor()
  await expect.poll(() => drawings().count()).toBe(2)
  expect(frames()).toHaveLength(1)
})
