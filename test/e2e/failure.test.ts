import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor, words } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const prompts = () => visitor.promptTexts()

test('a failed answer shows the reason at the message, and Retry replaces it', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script({ status: 400, body: '{"error":{"message":"internals"}}' })
  await visitor.send('Answer me')
  const failure = visitor.page.getByRole('alert')
  await failure.waitFor()
  await expect.poll(() => failure.innerText()).toMatch(/^The assistant isn’t available right now\. Your message is saved\./)
  await expect.poll(() => visitor.page.locator('body').innerText()).not.toContain('internals')
  await expect.poll(() => visitor.composer.isEnabled()).toBe(true)
  await visitor.page.reload()
  await failure.getByText('The assistant isn’t available right now.').waitFor()
  stage.model.script([{ text: 'Here I am.' }])
  await visitor.button('Retry').click()
  await visitor.answers.getByText('Here I am.').waitFor()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(() => failure.count()).toBe(0)
  expect(await prompts()).toEqual(['Answer me'])
  await visitor.page.reload()
  await visitor.answers.getByText('Here I am.').waitFor()
  expect(await prompts()).toEqual(['Answer me'])
  await expect.poll(() => visitor.answers.count()).toBe(1)
})

test('a prompt that never arrived is saved, can be edited, and is sent again by Retry, also when others follow it', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const isPrompt = (address: URL) => address.pathname.startsWith('/api/v1/agent/chat/')
  await visitor.page.route(isPrompt, (route) => route.abort('connectionrefused'))
  await visitor.send('Kept in any case')
  await visitor.page.getByText('Can’t reach the server.').waitFor()
  expect(await prompts()).toEqual(['Kept in any case'])
  await visitor.button('Edit').click()
  await expect.poll(() => visitor.composer.inputValue()).toBe('Kept in any case')
  await expect.poll(() => visitor.page.locator('article').count()).toBe(0)
  await visitor.composer.press('Enter')
  await visitor.button('Retry').waitFor()
  await visitor.page.unroute(isPrompt)
  await visitor.ask('The next one')
  expect(await prompts()).toEqual(['Kept in any case', 'The next one'])
  await visitor.page.getByRole('note').getByText('Can’t reach the server.').waitFor()
  await visitor.button('Retry').click()
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(await prompts()).toEqual(['The next one', 'Kept in any case'])
  await expect.poll(() => visitor.page.getByRole('note').count()).toBe(0)
})

test('a prompt whose reply was lost is not sent twice by Retry', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const isPrompt = (address: URL) => address.pathname.startsWith('/api/v1/agent/chat/')
  await visitor.page.route(isPrompt, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await visitor.send('Only once')
  await visitor.page.getByText('Can’t reach the server.').waitFor()
  await visitor.page.unroute(isPrompt)
  await visitor.button('Retry').click()
  await visitor.button('Copy answer').waitFor()
  await visitor.page.reload()
  await visitor.button('Copy answer').waitFor()
  expect(await prompts()).toEqual(['Only once'])
  expect(stage.model.requests.filter(({ prompt }) => prompt === 'Only once')).toHaveLength(1)
})

test('an answer stopped before its first word can be retried, even after a reload', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ silence: true }])
  await visitor.send('Think long')
  // Stopped before the model is called, the script would be left for Retry.
  await expect.poll(() => stage.model.requests.at(-1)?.prompt).toBe('Think long')
  await visitor.answers.getByRole('img', { name: 'Answering' }).waitFor()
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  await visitor.page.reload()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  stage.model.script([{ text: 'Quickly now.' }])
  await visitor.button('Retry').click()
  await visitor.answers.getByText('Quickly now.').waitFor()
  await visitor.button('Copy answer').waitFor()
  expect(await prompts()).toEqual(['Think long'])
  await expect.poll(() => visitor.answers.count()).toBe(1)
})

test('a list of chats that cannot be loaded shows an error and can be reloaded', async () => {
  visitor = await stage.visitor()
  await visitor.page.route('**/api/v1/sessions?*', (route) => route.abort('connectionrefused'))
  await visitor.enter()
  await visitor.page.getByText('Couldn’t load your chats.').waitFor()
  await visitor.page.unroute('**/api/v1/sessions?*')
  await visitor.button('Reload').click()
  await visitor.page.getByText('Your chats will appear here.').waitFor()
  await expect.poll(() => visitor.page.getByText('Couldn’t load your chats.').count()).toBe(0)
})

test('a chat that is rate limited says so, and is shown when the limit ends, whenever the list is connected', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const connected = Promise.withResolvers<void>()
  await visitor.page.route('**/api/v1/me/events', async (route) => {
    await connected.promise
    await route.continue()
  })
  await visitor.ask('Shown late')
  const address = await visitor.page.evaluate(() => location.hash)
  await visitor.button('New chat').first().click()
  await visitor.page.clock.install()
  const isChat = (url: URL) => /^\/api\/v1\/sessions\/\w+$/.test(url.pathname)
  const body = JSON.stringify({ code: 'too_many_requests' })
  await visitor.page.route(isChat, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '300' }, body }), { times: 1 })
  await visitor.page.evaluate((hash) => (location.hash = hash), address)
  const timer = visitor.page.getByRole('timer')
  await timer.getByText('Continuing in 4:').waitFor()
  await expect.poll(() => visitor.page.getByRole('status').allInnerTexts()).toContainEqual(expect.stringMatching(/^Too many requests\./))
  const isConnected = visitor.page.waitForResponse('**/api/v1/me/events')
  connected.resolve()
  await isConnected
  await visitor.drawn()
  expect(await timer.count()).toBe(1)
  await visitor.page.clock.fastForward(300_000)
  await timer.waitFor({ state: 'detached' })
  await visitor.button('Copy answer').waitFor()
})

test('an answer that never began says that the message is saved, and can be retried when others follow', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([])
  await visitor.send('Say nothing')
  await visitor.page.getByRole('alert').getByText('Something went wrong and there’s no answer. Your message is saved. Try again.').waitFor()
  expect(await prompts()).toEqual(['Say nothing'])
  await visitor.ask('Say something')
  await visitor.page.getByRole('note').getByText('Something went wrong and there’s no answer.').waitFor()
  await visitor.button('Retry').click()
  await expect.poll(prompts).toEqual(['Say nothing'])
  await visitor.button('Copy answer').waitFor()
})

test('each rejection has its own sentence', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.context().clearCookies()
  await visitor.send('Without the cookie')
  await visitor.page.getByText('Accept the privacy notice first.').waitFor()
  expect(await prompts()).toEqual(['Without the cookie'])
})

test('a broken connection resumes where it was', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const text = words(60)
  stage.model.script([{ text, tokensPerSecond: 15 }])
  // The browser sees its stream end early; the server goes on.
  await visitor.page.evaluate(() => {
    const real = window.fetch
    let isFirst = true
    window.fetch = async (input, init) => {
      const response = await real(input, init)
      if (!isFirst || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      isFirst = false
      let chunks = 0
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk)
          if (++chunks === 6) controller.error(new TypeError('network error'))
        },
      })
      return new Response(response.body!.pipeThrough(cut), { headers: response.headers })
    }
  })
  await visitor.send('Count with a break')
  await visitor.page.getByText('Reconnecting…').waitFor()
  await visitor.button('Copy answer').waitFor()
  expect((await visitor.answers.locator('.prose').innerText()).trim()).toBe(text)
})

test('the page says when it is offline, and the message is saved', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.context().setOffline(true)
  await visitor.page.getByText('You’re offline. What you type is saved.').waitFor()
  await visitor.send('From the tunnel')
  const failure = visitor.page.getByRole('alert')
  await failure.getByText('You’re offline. Your message is saved').waitFor()
  await visitor.page.locator('.thread').getByText('From the tunnel').waitFor()
  await visitor.page.context().setOffline(false)
  await visitor.button('Retry').click()
  await visitor.button('Copy answer').waitFor()
  expect(await prompts()).toEqual(['From the tunnel'])
})

test('a browser that wrongly says it is offline is believed only while requests fail', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const { page } = visitor
  const say = (isOnline: boolean) =>
    page.evaluate((state) => {
      Object.defineProperty(navigator, 'onLine', { get: () => state, configurable: true })
      dispatchEvent(new Event(state ? 'online' : 'offline'))
    }, isOnline)
  const checked = page.waitForResponse(/healthz/)
  await say(false)
  const line = page.getByText('You’re offline.')
  await checked
  await visitor.ask('Do you hear me?')
  expect(await line.count()).toBe(0)
  await page.route(/healthz/, (route) => route.abort('internetdisconnected'))
  await say(true)
  await say(false)
  await line.waitFor()
  stage.model.script([{ text: 'Loud and clear.' }])
  await visitor.send('And now?')
  await visitor.answers.getByText('Loud and clear.').waitFor()
  await line.waitFor({ state: 'detached' })
})

test('the code that renders messages loads with the first letter; if it cannot, the page says so and can retry', async () => {
  visitor = await stage.visitor()
  const drawing = /\/assets\/thread-[^/]+\.js$/
  const isAsked = () => visitor.requests.some((address) => drawing.test(address))
  await visitor.page.route(drawing, (route) => route.abort('connectionreset'))
  await visitor.enter()
  expect(isAsked()).toBe(false)
  await visitor.send('Answered unseen')
  await visitor.page.getByText('Couldn’t load this.').waitFor()
  expect(isAsked()).toBe(true)
  await visitor.page.unroute(drawing)
  await visitor.button('Try again').click()
  await visitor.button('Copy answer').waitFor()
  expect(await prompts()).toEqual(['Answered unseen'])
  await visitor.page.addInitScript(() => {
    new MutationObserver(() => document.querySelector('.welcome') && document.documentElement.classList.add('was-empty')).observe(
      document,
      {
        childList: true,
        subtree: true,
      },
    )
  })
  await visitor.page.reload()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(() => visitor.page.locator('html.was-empty').count()).toBe(0)
})

test('a prompt that is too long is counted and not sent', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.composer.fill('😀'.repeat(32_000))
  await visitor.page.getByText('32,000 of 32,000 characters').waitFor()
  await visitor.composer.fill('😀'.repeat(32_001))
  await visitor.page.getByText('1 character over the limit').waitFor()
  await expect.poll(() => visitor.button('Send').isDisabled()).toBe(true)
})

test('a server unavailable at startup is reported, and retrying starts the page', async () => {
  visitor = await stage.visitor()
  await visitor.page.route(/\/api\/v1\/config/, (route) => route.fulfill({ status: 503, body: '' }))
  await visitor.open()
  await visitor.page.getByRole('heading', { name: 'This page couldn’t start' }).waitFor()
  await visitor.page.unroute(/\/api\/v1\/config/)
  await visitor.button('Try again').click()
  await visitor.button('Accept and continue').waitFor()
  await expect.poll(() => visitor.page.getByRole('alert').count()).toBe(0)
})
