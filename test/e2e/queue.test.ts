import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { readEvents, streamPrompt } from '../support/api.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser(), {
    MAX_RUNNING_TURNS: '1',
    ...withConstants({ waitingPrompts: 0 }),
    LIMIT_PROMPTS_PER_DAY: '1',
  })
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

/** Occupies the only slot; resolves with a function that frees it. */
async function takePlace(): Promise<() => Promise<unknown>> {
  const ended = Promise.withResolvers<void>()
  stage.model.script([{ text: 'Long' }, { until: ended.promise }])
  const events = readEvents(await streamPrompt(stage.server.url, 'me', 'the running one'))
  await events.next()
  return () => {
    ended.resolve()
    return Array.fromAsync(events)
  }
}

const prompts = () => visitor.promptTexts()

test('a message rejected by a full queue counts down, and is sent automatically', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const giveBack = await takePlace()
  // The server says 5 to 10 seconds.
  const isPrompt = (address: URL) => address.pathname.startsWith('/api/v1/agent/chat/')
  const inThreeSeconds = async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'retry-after': '3' } })
  }
  await visitor.page.route(isPrompt, inThreeSeconds, { times: 1 })
  await visitor.send('Counted down')
  await visitor.page.getByText('We’re busy right now. Your message is saved.').waitFor()
  await visitor.page
    .getByRole('timer')
    .getByText(/^Sending again in 0:0\d$/)
    .waitFor()
  await giveBack()
  await visitor.button('Copy answer').waitFor()
  expect(await prompts()).toEqual(['Counted down'])
})

test('messages that follow each other while the queue is full are sent automatically in their order', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const giveBack = await takePlace()
  const isPrompt = (address: URL) => address.pathname.startsWith('/api/v1/agent/chat/')
  const inFiveSeconds = async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'retry-after': '5' } })
  }
  await visitor.page.route(isPrompt, inFiveSeconds, { times: 2 })
  const timers = visitor.page.getByRole('timer')
  await visitor.send('The first')
  await expect.poll(() => timers.count()).toBe(1)
  await visitor.send('The second')
  await expect.poll(() => timers.count()).toBe(2)
  await giveBack()
  await expect.poll(() => visitor.button('Copy answer').count()).toBe(2)
  expect(await prompts()).toEqual(['The first', 'The second'])
  expect(await visitor.button('Retry').count()).toBe(0)
})

test('a message over the daily limit says when it can be sent, and is not sent automatically', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.ask('One')
  await visitor.ask('Two')
  await visitor.send('Three')
  await visitor.page.getByText('You’ve reached today’s message limit.').waitFor()
  const timer = visitor.page.getByRole('timer')
  await expect.poll(() => timer.innerText()).toMatch(/^You can send it again (from .+|in \d+:\d\d)\.$/)
  await expect.poll(() => visitor.button('Retry').count()).toBe(0)
  await visitor.button('Edit').click()
  await expect.poll(() => visitor.composer.inputValue()).toBe('Three')
})
