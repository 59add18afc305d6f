import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubPageGlobals } from '../../../test/support/page-globals.ts'
import { pauseAfter } from './connection.ts'

beforeEach(() => {
  stubPageGlobals()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Whether a pause is over after each of these times in all. */
async function overAfter(pause: Promise<void>, timesMs: readonly number[]): Promise<boolean[]> {
  let isOver = false
  const ended = pause.then(() => (isOver = true))
  const seen: boolean[] = []
  let at = 0
  for (const ms of timesMs) {
    await vi.advanceTimersByTimeAsync(ms - at)
    at = ms
    seen.push(isOver)
  }
  await ended
  return seen
}

test('a pause is half a second to a second at first, and at most fifteen', async () => {
  const never = new AbortController().signal
  expect(await overAfter(pauseAfter(0, never), [499, 1_000])).toEqual([false, true])
  expect(await overAfter(pauseAfter(20, never), [7_499, 15_000])).toEqual([false, true])
})

test('a pause is no shorter than the server asks for', async () => {
  expect(await overAfter(pauseAfter(0, new AbortController().signal, 20), [19_999, 20_000])).toEqual([false, true])
})

test.each([
  ['the browser comes online', () => window.dispatchEvent(new Event('online'))],
  ['the page is shown or hidden', () => document.dispatchEvent(new Event('visibilitychange'))],
])('a pause ends when %s, and leaves no timer', async (_, happen) => {
  const pause = pauseAfter(20, new AbortController().signal)
  happen()
  await pause
  expect(vi.getTimerCount()).toBe(0)
})
