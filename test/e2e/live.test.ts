import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { type MeddlingProxy, startMeddlingProxy } from './meddling-proxy.ts'
import { pausedText, openStage, type Stage, Visitor, words } from './stage.ts'

let stage: Stage
let proxy: MeddlingProxy
const here: Visitor[] = []

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
  proxy = await startMeddlingProxy(stage.server.url)
})
afterAll(async () => {
  await stage.close()
  await proxy.close()
})
afterEach(async () => {
  for (const visitor of here.splice(0)) await visitor.leave()
  proxy.cutStreamsAfter = null
  proxy.preface = ''
})

/** A visitor with a chat that has one answer. */
async function settled(url = stage.server.url): Promise<Visitor> {
  const visitor = new Visitor(url, await (await stage.browser.newContext()).newPage())
  here.push(visitor)
  await visitor.enter()
  stage.model.script([{ text: 'Good morning.' }])
  await visitor.ask('Hello')
  return visitor
}

async function joined(other: Promise<Visitor>, hash: string): Promise<Visitor> {
  const visitor = await other
  here.push(visitor)
  await visitor.open(hash)
  await visitor.composer.waitFor()
  return visitor
}

const hashOf = (visitor: Visitor) => new URL(visitor.page.url()).hash
const textOf = async (visitor: Visitor) => (await visitor.answers.last().locator('.prose').innerText()).trim()

/** Simulates a visibility change of the page. */
async function show(visitor: Visitor, isShown: boolean): Promise<void> {
  await visitor.page.evaluate((shown) => {
    Object.defineProperty(document, 'hidden', { value: !shown, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isShown)
}

test.each([
  ['tab', (visitor: Visitor) => visitor.anotherTab()],
  ['device', (visitor: Visitor) => visitor.anotherDevice()],
])('a prompt sent in one %s appears in the other, with its answer as it streams', async (_, another) => {
  const first = await settled()
  const second = await joined(another(first), hashOf(first))
  await second.answers.getByText('Good morning.').waitFor()
  const text = words(40)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await first.send('Count for both of us')
  await second.prompts.getByText('Count for both of us').waitFor()
  await second.answers.getByText('word5').waitFor()
  expect(await textOf(second)).not.toContain('word39')
  release()
  await first.button('Copy answer').nth(1).waitFor()
  await second.button('Copy answer').nth(1).waitFor()
  expect([await textOf(first), await textOf(second)]).toEqual([text, text])
  await expect.poll(() => second.page.locator('article').count()).toBe(4)
})

test('a tab opened before the first chat lists that chat, marked while it is answered', async () => {
  const first = await stage.visitor()
  here.push(first)
  await first.enter()
  const second = await joined(first.anotherTab(), '')
  const { script, release } = pausedText(words(40))
  stage.model.script(script)
  await first.send('The very first')
  await second.chats.getByText('The very first').waitFor()
  await second.chats.getByRole('img', { name: 'Answering' }).waitFor()
  release()
  await first.button('Copy answer').waitFor()
  await second.chats.getByRole('img', { name: 'Answering' }).waitFor({ state: 'detached' })
  await first.button('New chat').first().click()
  await first.ask('The second')
  await expect.poll(() => second.chats.allInnerTexts()).toEqual(['The second', 'The very first'])
})

test('a chat deleted elsewhere leaves the list and says so if it is open; the draft stays', async () => {
  const first = await settled()
  const second = await joined(first.anotherTab(), hashOf(first))
  await second.answers.getByText('Good morning.').waitFor()
  await second.composer.fill('Half a thought')
  const key = /session=(\w+)/.exec(hashOf(first))?.[1]
  await first.page.evaluate((session) => fetch(`/api/v1/sessions/${session}`, { method: 'DELETE' }), key)
  await second.page.getByRole('heading', { name: 'Chat not found' }).waitFor()
  await expect.poll(() => second.chats.count()).toBe(0)
  await expect.poll(() => second.composer.inputValue()).toBe('Half a thought')
})

test('a prompt sent during a running answer returns to the message box, and can be sent after the answer shown', async () => {
  const first = await settled()
  const second = await joined(first.anotherTab(), hashOf(first))
  await second.answers.getByText('Good morning.').waitFor()
  // The other tab receives no events.
  await second.page.route('**/api/v1/me/events', (route) => route.abort())
  await show(second, false)
  await show(second, true)
  const text = words(40)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await first.send('I was first')
  await first.answers.getByText('word3').waitFor()
  await second.send('And I second')
  await second.prompts.getByText('I was first').waitFor()
  await second.answers.getByText('word10').waitFor()
  await expect.poll(() => second.composer.inputValue()).toBe('And I second')
  await expect.poll(() => second.promptTexts()).toEqual(['Hello', 'I was first'])
  release()
  await second.button('Send').waitFor()
  expect(await textOf(second)).toBe(text)
  await second.composer.press('Enter')
  await second.button('Copy answer').nth(2).waitFor()
  await expect.poll(() => second.promptTexts()).toEqual(['Hello', 'I was first', 'And I second'])
})

test('a hidden tab holds no stream, and catches up when it is shown again', async () => {
  const visitor = await settled(proxy.url)
  const text = words(40)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await visitor.send('While I look away')
  await visitor.answers.getByText('word3').waitFor()
  expect(proxy.openStreams()).toBe(2)
  await show(visitor, false)
  await expect.poll(() => proxy.openStreams()).toBe(0)
  release()
  const turn = stage.model.requests.at(-1)!
  await turn.ended
  await show(visitor, true)
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(await textOf(visitor)).toBe(text)
  await expect.poll(() => proxy.openStreams()).toBe(1)
})

test('behind a proxy that cuts off streams, answers and the list still arrive', async () => {
  const visitor = await settled(proxy.url)
  const other = await joined(visitor.anotherDevice(), hashOf(visitor))
  await other.answers.getByText('Good morning.').waitFor()
  proxy.cutStreamsAfter = 700
  const text = words(120)
  stage.model.script([{ text, tokensPerSecond: 12 }])
  await visitor.send('Through the needle’s eye')
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(await textOf(visitor)).toBe(text)
  expect(visitor.requests.filter((address) => /\/turns\/\w+\/events/.test(address)).length).toBeGreaterThan(0)
  const streams = visitor.requests.filter((address) => /\/stream$|\/me\/events$/.test(address))
  expect(streams.length).toBeLessThan(10)
})

test('ignores stream content of a newer server that this page does not know', async () => {
  proxy.preface =
    'event: from-the-future\ndata: not even JSON\n\ndata: {"type":"data-from-the-future","data":{"a":1}}\n\nunknown: field\n\n'
  const visitor = await settled(proxy.url)
  expect(await textOf(visitor)).toBe('Good morning.')
  await visitor.chats.getByText('Hello').waitFor()
  expect(visitor.faults).toEqual([])
})

test('a short network outage loses nothing: the answer continues, the draft stays, and the status line says so', async () => {
  const visitor = await settled()
  const text = words(40)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await visitor.send('Into the tunnel')
  await visitor.answers.getByText('word5').waitFor()
  await visitor.composer.fill('My next question')
  await visitor.page.context().setOffline(true)
  await visitor.page.getByText('You’re offline. What you type is saved.').waitFor()
  release()
  await visitor.page.context().setOffline(false)
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(await textOf(visitor)).toBe(text)
  await expect.poll(() => visitor.composer.inputValue()).toBe('My next question')
  await visitor.page.getByText('You’re offline.').waitFor({ state: 'detached' })
  await expect.poll(() => visitor.page.getByText('Reconnecting…').count()).toBe(0)
})

test('a reload during an answer shows the same text at once, never less, and keeps the draft', async () => {
  const visitor = await settled()
  const text = words(60)
  const { script, release } = pausedText(text)
  stage.model.script(script)
  await visitor.send('Count on')
  await visitor.answers.getByText('word20').waitFor()
  await visitor.composer.fill('Half a thought')
  await visitor.page.addInitScript(() => {
    const lengths: number[] = []
    Object.assign(window, { lengths })
    const look = () => lengths.push([...document.querySelectorAll('.agent .prose')].at(-1)?.textContent?.length ?? 0)
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  })
  const before = await textOf(visitor)
  await visitor.page.reload()
  await visitor.answers.nth(1).waitFor()
  release()
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(await textOf(visitor)).toBe(text)
  await expect.poll(() => visitor.composer.inputValue()).toBe('Half a thought')
  const lengths = await visitor.page.evaluate(() => (window as unknown as { lengths: number[] }).lengths.filter((length) => length > 0))
  expect(lengths[0]).toBeGreaterThanOrEqual(before.length)
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
})
