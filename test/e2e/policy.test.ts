import type { BrowserContext } from 'playwright-core'
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

/** Collects policy violations in every document of the context, from before its first script. */
async function listen(context: BrowserContext): Promise<string[]> {
  const breaches: string[] = []
  await context.exposeBinding('breach', (_source, breach: string) => void breaches.push(breach))
  await context.addInitScript(() => {
    const report = (globalThis as unknown as { breach: (text: string) => void }).breach
    document.addEventListener('securitypolicyviolation', (event) =>
      report(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
  return breaches
}

test('the page works without violating its content security policy', async () => {
  visitor = await stage.visitor()
  const breaches = await listen(visitor.page.context())
  await visitor.enter()
  stage.model.script([{ toolCall: { name: 'calculator', arguments: { expression: '6*7' } } }])
  stage.model.script([
    { text: '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst answer: number = 42\n```\n\n[link](https://example.org)' },
  ])
  await visitor.ask('Show me everything')
  await visitor.answers.locator('pre span[style]').first().waitFor()
  await visitor.button('Dark').click()
  await visitor.button('Copy answer').click()
  await visitor.button('New chat').first().click()
  await visitor.button('Privacy notice').click()
  await visitor.page.keyboard.press('Escape')
  await visitor.page.goto(`${stage.server.url}/#/nothing`)
  await visitor.page.getByText('Page not found').waitFor()
  expect(breaches).toEqual([])
  expect(visitor.faults).toEqual([])
})

test('the API reference does too', async () => {
  visitor = await stage.visitor()
  const breaches = await listen(visitor.page.context())
  await visitor.page.goto(`${stage.server.url}/api/docs`)
  await visitor.page.getByText('List chat sessions').click()
  await visitor.page.getByRole('button', { name: 'Try it out' }).click()
  // Of the path and of the query.
  for (const id of await visitor.page.getByPlaceholder('id', { exact: true }).all()) await id.fill('policy-tests')
  await visitor.page.getByRole('button', { name: 'Execute' }).click()
  await visitor.page.getByText('Response body').waitFor()
  expect(breaches).toEqual([])
  expect(visitor.faults).toEqual([])
})

test.each([
  [
    'a script made of text',
    'require-trusted-types-for',
    () => {
      const script = document.createElement('script')
      script.append('window.broken = true')
      document.body.append(script)
    },
  ],
  [
    'markup from text',
    'require-trusted-types-for',
    () => {
      document.body.innerHTML = '<b>text</b>'
    },
  ],
  [
    'code from text',
    'require-trusted-types-for',
    () => {
      // In a timer, because code evaluated by the test is exempt.
      // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- it must fail
      setTimeout(() => new Function('window.broken = true')())
    },
  ],
  [
    'a policy of its own',
    'trusted-types',
    () => {
      ;(globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }).trustedTypes.createPolicy('x', {})
    },
  ],
  ['a request to another site', 'connect-src', () => fetch('https://evil.example/').catch(() => undefined)],
  [
    'an image of another site',
    'img-src',
    () => {
      new Image().src = 'https://evil.example/x.png'
    },
  ],
  [
    'a frame',
    'frame-src',
    () => {
      const frame = document.createElement('iframe')
      frame.src = 'https://evil.example/'
      document.body.append(frame)
    },
  ],
  [
    'a form to another site',
    'form-action',
    () => {
      const form = document.createElement('form')
      form.action = 'https://evil.example/'
      document.body.append(form)
      form.submit()
    },
  ],
])('the policy blocks %s', async (_name, directive, attempt) => {
  // biome-ignore format: one attempt a row
  visitor = await stage.visitor()
  const breaches = await listen(visitor.page.context())
  await visitor.open()
  await visitor.button('Accept and continue').waitFor()
  await visitor.page.evaluate(attempt).catch(() => undefined)
  await expect.poll(() => breaches.length).toBeGreaterThan(0)
  expect(breaches[0]).toMatch(new RegExp(`^${directive} `))
  expect(await visitor.page.evaluate(() => 'broken' in window)).toBe(false)
})
