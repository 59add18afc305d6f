import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function throttled() {
  const heard: number[] = []
  return { heard, act: throttle((value: number) => heard.push(value), 100) }
}

test('acts once on what comes together, and then at most every so often, on the newest', () => {
  const { heard, act } = throttled()
  act(1)
  act(2)
  vi.advanceTimersByTime(0)
  act(3)
  vi.advanceTimersByTime(99)
  act(4)
  expect(heard).toEqual([2])
  vi.advanceTimersByTime(1)
  expect(heard).toEqual([2, 4])
})

test('acts on what is in a hurry without waiting, once for what comes together', () => {
  const { heard, act } = throttled()
  act(1)
  vi.advanceTimersByTime(10)
  act(2)
  act.hurry(3)
  act.hurry(4)
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([1, 4])
  act(5)
  vi.advanceTimersByTime(99)
  expect(heard).toEqual([1, 4])
  vi.advanceTimersByTime(1)
  expect(heard).toEqual([1, 4, 5])
})

test('forgets what waits when it is cancelled', () => {
  const { heard, act } = throttled()
  act.hurry(1)
  act.cancel()
  vi.advanceTimersByTime(200)
  act.hurry(2)
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([2])
})
