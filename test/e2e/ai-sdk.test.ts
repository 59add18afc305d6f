import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { unpackClient } from '../support/client-package.ts'
import type { RecordedRequest } from '../support/scripted-model.ts'
import { openStage, type Stage } from './stage.ts'

const EXAMPLE = join(import.meta.dirname, 'ai-sdk/chat.tsx')
/** Line from the documentation for pages that get no cookie. */
const OWN_ID = "id: () => (localStorage['chat-id'] ??= crypto.randomUUID()),"
/** A port of the same host is another origin of the same site, which gets the visitor's cookie. */
const PAGES = [
  { version: 7, sdk: '@ai-sdk/react', where: 'the same site', host: 'localhost' },
  { version: 6, sdk: 'ai-sdk-react-v6', where: 'the same site', host: 'localhost' },
  { version: 5, sdk: 'ai-sdk-react-v5', where: 'the same site', host: 'localhost' },
  { version: 7, sdk: '@ai-sdk/react', where: 'another site', host: '127.0.0.1' },
]

/** A site on another origin with the example of the documentation, bundled with one version of the SDK. */
async function openSite(host: string): Promise<{ server: Server; origin: string; use(script: string): void }> {
  let script = ''
  const server = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>A site</title><body><script type="module" src="/main.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return { server, origin: `http://${host}:${(server.address() as AddressInfo).port}`, use: (text) => (script = text) }
}

/** The example without approvals, which version 5 doesn't have. */
const withoutApprovals = (code: string) =>
  code.replace(/^import \{ lastAssistantMessageIs.*$/m, '').replace(/, sendAutomaticallyWhen: \w+/, '')

/** The example with the packed client. */
async function bundle({ sdk, where }: (typeof PAGES)[number], parley: string): Promise<string> {
  const { folder } = await unpackClient()
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, 'ai-sdk'),
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: {
      alias: {
        '@parley/client': join(folder, 'package/client.js'),
        '@ai-sdk/react': sdk,
        ...(sdk.endsWith('v6') && { ai: 'ai-v6' }),
      },
    },
    plugins: [
      {
        name: 'without-approvals',
        enforce: 'pre' as const,
        transform: (code, id) => (sdk.endsWith('v5') && id.endsWith('chat.tsx') ? withoutApprovals(code) : null),
      },
    ],
    build: { write: false, lib: { entry: 'main.tsx', formats: ['es'] } },
  })) as Rolldown.RolldownOutput[]
  rmSync(folder, { recursive: true })
  const script = (output[0]?.output[0].code ?? '').replace(
    /url: ['"]https:\/\/chat\.example\.org['"],/,
    `url: "${parley}",${where === 'another site' ? OWN_ID : ''}`,
  )
  expect(script).toContain(parley)
  return script
}

test('the documentation shows the example that is tested here', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  expect(docs).toContain(readFileSync(EXAMPLE, 'utf8').trim())
  expect(docs).toContain(OWN_ID.replace(/,$/, ''))
})

describe.each(PAGES)('useChat of the AI SDK $version on a page of $where', (shown) => {
  let site: Awaited<ReturnType<typeof openSite>>
  let browser: Browser
  let stage: Stage
  let page: Page

  beforeAll(async () => {
    site = await openSite(shown.host)
    browser = await launchBrowser()
    stage = await openStage(browser, { ALLOWED_ORIGINS: site.origin })
    site.use(await bundle(shown, stage.server.url))
    page = await browser.newPage()
  })
  afterAll(async () => {
    await stage.close()
    site.server.close()
  })

  const answers = () => page.locator('[data-role="assistant"]')
  const button = (name: string) => page.getByRole('button', { name })
  const requestsOf = (prompt: string) => stage.model.requests.filter((request) => request.prompt.includes(prompt))
  const lastOf = (prompt: string) => requestsOf(prompt).at(-1) as RecordedRequest
  async function send(prompt: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message' }).fill(prompt)
    await page.locator('button:enabled', { hasText: 'Send' }).click()
  }

  test('sends nothing before consent, and says why', async () => {
    await page.goto(site.origin)
    await send('Too early')
    await page.getByRole('alert').getByText('The privacy notice has not been accepted.').waitFor()
    expect(stage.model.requests).toHaveLength(0)
    await page.evaluate(() => localStorage.setItem('privacy-notice', 'accepted'))
    await page.reload()
  })

  test('continues one chat, whose earlier messages the model reads', async () => {
    stage.model.script([{ text: 'It is 36.' }])
    stage.model.script([{ text: 'It is 18.' }])
    await send('What is 15% of 240?')
    await answers().getByText('It is 36.').waitFor()
    await send('and half of that?')
    await answers().getByText('It is 18.').waitFor()
    expect(JSON.stringify(lastOf('half of that').body.messages)).toContain('It is 36.')
  })

  test('stops an answer on the server, keeps what was written, and goes on', async () => {
    stage.model.script([{ text: 'It begins ' }, { silence: true }])
    await send('Tell me a long story')
    await answers().getByText('It begins').waitFor()
    await button('Stop').click()
    expect(await lastOf('a long story').ended).toBe(true)
    stage.model.script([{ text: 'And now this.' }])
    await send('Something else')
    await answers().getByText('And now this.').waitFor()
    await answers().getByText('It begins').waitFor()
  })

  test('stops an answer before its first words', async () => {
    const before = stage.model.requests.length
    stage.model.script(({ prompt }) => (prompt === 'Say nothing yet' ? [{ silence: true }] : undefined))
    await send('Say nothing yet')
    await button('Stop').click()
    // Stopped before the model is called, there is no request.
    await expect
      .poll(async () => (await Promise.all(stage.model.requests.slice(before).map(({ ended }) => ended))).every(Boolean))
      .toBe(true)
    stage.model.script([{ text: 'I am free.' }])
    await send('Are you free?')
    await answers().getByText('I am free.').waitFor()
  })

  test('resumes a running answer after a reload, and stops it', async () => {
    const held = Promise.withResolvers<void>()
    stage.model.script([{ text: 'First half, ' }, { until: held.promise }, { text: 'second half.' }])
    await send('Write slowly')
    await answers().getByText('First half,').waitFor()
    await page.reload()
    await answers().getByText('First half,').waitFor()
    held.resolve()
    await answers().getByText('First half, second half.').waitFor()
    stage.model.script([{ text: 'Without end ' }, { silence: true }])
    await send('Write on')
    await answers().getByText('Without end').waitFor()
    await page.reload()
    await answers().getByText('Without end').waitFor()
    await button('Stop').click()
    expect(await lastOf('Write on').ended).toBe(true)
  })

  test('shows the stored chat after a reload when nothing runs, without an error', async () => {
    await page.reload()
    await answers().getByText('First half, second half.').waitFor()
    await answers().getByText('It is 36.').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('replaces the last answer', async () => {
    stage.model.script([{ text: 'One way.' }])
    await send('Say it')
    await answers().getByText('One way.').waitFor()
    stage.model.script([{ text: 'Another way.' }])
    await button('Try again').click()
    await answers().getByText('Another way.').waitFor()
    await expect.poll(() => answers().getByText('One way.').count()).toBe(0)
  })

  test('sends a file with a prompt', async () => {
    stage.model.script([{ text: 'I have read it.' }])
    const content = Buffer.from('The secret ingredient is nutmeg.')
    await page.getByLabel('Files').setInputFiles({ name: 'recipe.txt', mimeType: 'text/plain', buffer: content })
    await send('What is in the file?')
    await answers().getByText('I have read it.').waitFor()
    expect(JSON.stringify(lastOf('What is in the file?').body.messages)).toContain('nutmeg')
  })

  test('shows why an answer failed and why a prompt was rejected', async () => {
    // Asked again without the prompts that were stopped.
    for (const status of [400, 400]) stage.model.script({ status })
    await send('Break')
    await page.getByRole('alert').waitFor()
    await send('  ')
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/empty/i)
  })
})
