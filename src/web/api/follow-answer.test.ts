import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventStream, type PageGlobals, stubPageGlobals } from '../../../test/support/page-globals.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { type AnswerOutcome, followAnswer } from './follow-answer.ts'
import { streams } from './stream-health.ts'

let page: PageGlobals
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  page = stubPageGlobals()
  streams.reportComplete()
  // Maximum jitter.
  vi.spyOn(Math, 'random').mockReturnValue(1)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const START = { type: 'start', messageId: 'a', messageMetadata: { turnId: 't' } }
const FIRST_TEXT = { type: 'text-start', id: '1' }
const word = (delta: string) => ({ type: 'text-delta', id: '1', delta })
const problem = (status: number, code: string) => () => Response.json({ code }, { status })
const network = () => Promise.reject(new TypeError('fetch failed'))

/** Follows an answer. `shown` records the callbacks in order. */
function following(start: { first?: Response; turn?: string }) {
  const leaving = new AbortController()
  const shown: string[] = []
  const reader = {
    onMessage: (message: ChatMessage) => void shown.push(textOf(message)),
    onConnection: (connection: string) => void shown.push(connection),
  }
  let outcome: AnswerOutcome | undefined
  const ended = followAnswer(start, reader, leaving.signal).then((is) => (outcome = is))
  return { leaving, shown, ended, outcome: () => outcome }
}

/** Advances the clock and lets pending reads finish in the real event loop. */
async function pass(ms = 0) {
  for (const step of [0, ms]) {
    await vi.advanceTimersByTimeAsync(step)
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

test('reads the reply to a prompt to its end', async () => {
  const stream = eventStream()
  const { shown, ended } = following({ first: stream.response })
  for (const chunk of [START, FIRST_TEXT, word('Hello'), word(' there')]) stream.send(chunk)
  stream.send('[DONE]')
  const outcome = await ended
  expect(outcome.kind === 'ended' && textOf(outcome.message)).toBe('Hello there')
  expect(shown).toEqual(['live', '', '', 'Hello', 'Hello there'])
  expect(page.requests).toEqual([])
})

test('resumes a broken stream after the last event and continues the answer', async () => {
  const [first, second] = [eventStream(), eventStream()]
  page.respond(() => second.response)
  const { shown, ended } = following({ first: first.response })
  first.send(START, 1)
  first.send(FIRST_TEXT, 2)
  first.send(word('Hello'), 3)
  await pass()
  first.end()
  await pass()
  expect(shown.at(-1)).toBe('reconnecting')
  await pass(1_000)
  expect(page.requests).toMatchObject([{ path: '/api/v1/turns/t/stream', init: { headers: { 'Last-Event-ID': '3' } } }])
  second.send(word(' there'), 4)
  second.send('[DONE]')
  const outcome = await ended
  expect(outcome.kind === 'ended' && textOf(outcome.message)).toBe('Hello there')
  expect(shown.slice(-3)).toEqual(['reconnecting', 'live', 'Hello there'])
})

test('doubles the pause after each failure, and resets it when something arrives', async () => {
  const moved = eventStream()
  page.respond(network, network, network, () => moved.response, network)
  const { leaving, ended } = following({ turn: 't' })
  const counts = []
  for (const ms of [0, 1_999, 1, 3_999, 1, 7_999, 1]) {
    await pass(ms)
    counts.push(page.requests.length)
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4])
  moved.send(START, 1)
  await pass()
  moved.end()
  await pass(999)
  expect(page.requests).toHaveLength(4)
  await pass(1)
  expect(page.requests).toHaveLength(5)
  leaving.abort()
  expect(await ended).toEqual({ kind: 'left' })
})

test('stops after a permanent rejection, and retries after any other', async () => {
  page.respond(problem(503, 'too_many_streams'), problem(404, 'not_found'))
  const { shown, ended, outcome } = following({ turn: 't' })
  await pass()
  await pass(1_999)
  expect([outcome(), shown]).toEqual([undefined, ['reconnecting']])
  await pass(1)
  expect(await ended).toEqual({ kind: 'rejected', code: 'not_found' })
  expect(page.requests).toHaveLength(2)
})

test.each([
  [true, 'network'],
  [false, 'offline'],
])('a reply that breaks before it names its turn is a connection failure (online: %s)', async (onLine, code) => {
  stubPageGlobals({ onLine })
  const stream = eventStream()
  const { ended } = following({ first: stream.response })
  stream.end()
  expect(await ended).toEqual({ kind: 'rejected', code })
})

test('skips a chunk that it can’t parse', async () => {
  const stream = eventStream()
  const { ended } = following({ first: stream.response })
  for (const chunk of [START, '{"type":', FIRST_TEXT, word('Hello'), '[DONE]']) stream.send(chunk)
  const outcome = await ended
  expect(outcome.kind === 'ended' && textOf(outcome.message)).toBe('Hello')
  expect(console.error).toHaveBeenCalledOnce()
})

test('polls events where streams are cut off, until there are no more', async () => {
  const events =
    (status: string, ...chunks: [number, unknown][]) =>
    () =>
      Response.json({ status, events: chunks.map(([seq, chunk]) => ({ seq, chunk })) })
  vi.spyOn(streams, 'isBlocked', 'get').mockReturnValue(true)
  page.respond(events('running', [1, START], [2, FIRST_TEXT]), network, events('done', [3, word('Hello')]), events('done'))
  const { ended } = following({ turn: 't' })
  await pass()
  await pass(4_000)
  const outcome = await ended
  expect(outcome.kind === 'ended' && textOf(outcome.message)).toBe('Hello')
  expect(page.requests.map(({ path }) => path.split('after=')[1])).toEqual(['0', '2', '2', '3'])
})

test('tries a stream again if polling fails too', async () => {
  const reportComplete = vi.spyOn(streams, 'reportComplete')
  vi.spyOn(streams, 'isBlocked', 'get').mockReturnValue(true)
  page.respond(problem(503, 'shutting_down'), problem(404, 'not_found'))
  const { leaving, ended } = following({ turn: 't' })
  await pass()
  expect(reportComplete).not.toHaveBeenCalled()
  await pass(2_000)
  expect(reportComplete).toHaveBeenCalled()
  leaving.abort()
  expect(await ended).toEqual({ kind: 'left' })
})

test('ends without a failure when its reader leaves while it polls', async () => {
  vi.spyOn(streams, 'isBlocked', 'get').mockReturnValue(true)
  const { leaving, ended } = following({ turn: 't' })
  page.respond(({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))))
  await pass()
  expect(page.requests).toHaveLength(1)
  leaving.abort()
  expect(await ended).toEqual({ kind: 'left' })
})

test('holds no connection while the page is hidden, and resumes when it is shown', async () => {
  const [first, second] = [eventStream(), eventStream()]
  page.respond(() => second.response)
  const { shown, ended } = following({ first: first.response })
  await pass()
  page.show(false)
  await pass()
  // Before the turn is known, only the reply identifies it.
  expect(first.isCancelled).toBe(false)
  first.send(START, 1)
  await pass(60_000)
  expect([first.isCancelled, page.requests.length]).toEqual([true, 0])
  page.show(true)
  await pass()
  expect([page.requests.length, shown.includes('reconnecting')]).toEqual([1, false])
  second.send('[DONE]')
  expect((await ended).kind).toBe('ended')
})
