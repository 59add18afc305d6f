import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function throttled() {
  const heard: number[] = []
  return { heard, act: throttle((value: number) => heard.push(value), 100) }
}

test('runs once for calls that come together, then at most once per interval with the newest value', () => {
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

test('drops pending calls when cancelled', () => {
  const { heard, act } = throttled()
  act(1)
  act.cancel()
  vi.advanceTimersByTime(200)
  act(2)
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([2])
})
