import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser(), { PROOF_OF_WORK: 'always' })
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const isWorker = (address: URL) => address.pathname.includes('proof-worker')
const check = () => visitor.page.getByRole('status').filter({ hasText: 'Checking that you’re not a robot' })

/** Stalls the worker until released, to inspect the page meanwhile. */
async function stallWorker(): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await visitor.page.context().route(isWorker, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

test('the work runs in a worker from our own files only when required, and the page says so', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const release = await stallWorker()
  expect(visitor.requests.filter((address) => /proof|challenge/.test(address))).toEqual([])
  await visitor.send('Am I a robot?')
  await check().getByRole('progressbar').waitFor()
  release()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(() => check().count()).toBe(0)
  expect(visitor.requests.filter((address) => !address.startsWith(stage.server.url) && !address.startsWith('data:'))).toEqual([])
  stage.model.script({ status: 400, body: '{}' })
  await visitor.send('And now?')
  await visitor.button('Retry').click()
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(visitor.faults).toEqual([])
})

test('the work can be cancelled: the message returns to the message box, and nothing is stored', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await stallWorker()
  const asked = stage.model.requests.length
  await visitor.send('Rather not')
  await check().waitFor()
  await visitor.button('Stop answer').click()
  await expect.poll(() => visitor.composer.inputValue()).toBe('Rather not')
  await expect.poll(() => visitor.prompts.count()).toBe(0)
  await expect.poll(() => check().count()).toBe(0)
  expect(stage.model.requests).toHaveLength(asked)
  await visitor.page.context().unroute(isWorker)
  await visitor.composer.press('Enter')
  await visitor.button('Copy answer').waitFor()
  expect(visitor.faults).toEqual([])
})
