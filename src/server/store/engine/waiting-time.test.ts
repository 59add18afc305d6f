import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WaitingTime, withinRequest } from './waiting-time.ts'

const waiting = new WaitingTime(2_000)
const left = () => waiting.next(0.75)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.setSystemTime(10_000)
})
afterEach(() => {
  vi.useRealTimers()
})

test('a statement has 1.5 s, and all slow ones of a request together no more than 1.9 s', () => {
  const request = {}
  withinRequest(request, () => {
    expect(left()).toBe(1_500)
    waiting.add(1_200)
    expect(left()).toBe(700)
  })
  // The same request, after its body.
  withinRequest(request, () => expect(left()).toBe(700))
  withinRequest({}, () => expect(left()).toBe(1_500))
  expect(left()).toBe(1_500)
})

test('quick statements cost a long request nothing, and slow ones leave it half a second each', () => {
  withinRequest({}, () => {
    for (let statement = 0; statement < 100; statement += 1) waiting.add(100)
    expect(left()).toBe(1_500)
    for (let statement = 0; statement < 10; statement += 1) waiting.add(450)
    expect(left()).toBe(500)
  })
})

test('what a request has begun is not cut for what it waited before', () => {
  withinRequest({}, () => {
    waiting.add(1_400)
    expect(left()).toBe(500)
    vi.advanceTimersByTime(2_001)
    expect(left()).toBe(1_500)
  })
})
