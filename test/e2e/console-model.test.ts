import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { ConnectedModel } from '../../src/contract/staff/model.ts'
import type { AuditPage } from '../../src/contract/staff/people.ts'
import { launchBrowser } from '../support/chromium.ts'
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { askAsVisitor } from './first-minutes.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const KEY = 'key-that-nobody-reads-again'

let server: TestServer
let model: ScriptedModel
let elsewhere: ScriptedModel
let browser: Browser
let owner: StaffClient
let page: Page
beforeAll(async () => {
  model = await startScriptedModel()
  elsewhere = await startScriptedModel()
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, CONSOLE_PRIVATE_HOSTS: '127.0.0.1' } })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const [name = '', value = ''] = owner.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${origin}/#/status`)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await Promise.all([model.close(), elsewhere.close()])
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })
const noticeVersion = async () => ((await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration).privacy.noticeVersion

async function look(screen: string): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect([screen, width, ...(await violationsIn(page)), ...(await overflowOf(page))]).toEqual([screen, width])
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('an owner tests and connects a model; its key is bound to its host and read by nobody', async () => {
  const noticeBefore = await noticeVersion()
  await field('Provider').selectOption('address')
  await field('Address').fill('http://localhost:9/v1')
  await field('Name of the model').fill('town-1')
  await field('Key').fill(KEY)
  await button('Test').click()
  await page.getByText('Use an https address, or have the host named in CONSOLE_PRIVATE_HOSTS.').waitFor()
  await field('Address').fill('http://127.0.0.1:9/v1')
  await button('Test').click()
  await page.getByText('It didn’t answer: The connection to the model failed. ECONNREFUSED').waitFor()
  await look('a model that fails its test')
  await field('Address').fill(model.baseUrl)
  await button('Test').click()
  await page.getByText(/It answered after [\d.]+ s: Hello from the scripted model/).waitFor()
  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)

  await button('Connect').click()
  await page.getByRole('dialog').getByText('visitors are asked again').waitFor()
  await look('the question before a model is connected')
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click()
  await page.getByText('town-1 answers.').waitFor()
  await page.getByText('A key is stored and can’t be read. Leave this empty to keep it.').waitFor()
  await look('a connected model')
  expect(await noticeVersion()).not.toBe(noticeBefore)
  const visitor = await (await browser.newContext()).newPage()
  await askAsVisitor(visitor, server.url, 'Hello there', 'Hello from the scripted model')

  await field('Address').fill(elsewhere.baseUrl)
  await button('Test').click()
  await page.getByText('Enter the key. A stored key is used for its own host alone.').waitFor()
  expect(elsewhere.requests).toEqual([])
  await field('Address').fill(model.baseUrl)
  await button('Test').click()
  await page.getByText(/It answered after/).waitFor()

  const { body } = await owner.call<ConnectedModel>('GET', 'model')
  expect(JSON.stringify(body)).not.toContain(KEY)
  expect(server.output()).not.toContain(KEY)
  for (const file of ['parley.db', 'parley.db-wal']) expect(readFileSync(join(server.dataDirectory, file)).includes(KEY)).toBe(false)
  const { entries } = (await owner.call<AuditPage>('GET', 'audit')).body
  expect(entries.map(({ action }) => action)).toContain('model.connect')

  await button('Disconnect').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Built-in assistant answers.').waitFor()
  await expect.poll(noticeVersion).toBe(noticeBefore)
})

test('a model of the environment comes first, and the console says so', async () => {
  const own = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, MODEL: 'builtin' } })
  try {
    const { origin, link } = await consoleOf(own)
    const client = new StaffClient(origin)
    await client.enter(link)
    await client.call('POST', 'model', { provider: 'openai', model: 'gpt-5-mini', key: KEY })
    expect((await client.call<ConnectedModel>('GET', 'model')).body).toEqual({
      isSetByEnvironment: true,
      label: 'Built-in assistant',
      connection: { provider: 'openai', address: null, model: 'gpt-5-mini', hasKey: true },
      isLive: true,
    })
  } finally {
    await own.stop()
  }
})

test('a colleague neither reads nor connects one', async () => {
  const editor = await owner.colleague('editor')
  expect(await editor.call('GET', 'model')).toMatchObject({ status: 403 })
  expect(await editor.call('POST', 'model', { provider: 'openai', model: 'gpt-5-mini', key: KEY })).toMatchObject({ status: 403 })
})
