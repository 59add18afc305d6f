import { expect, test, vi } from 'vitest'
import { LoopLag, watchLoop } from './loop-lag.ts'

const looks = (lag: LoopLag, ...lateMs: number[]) => lateMs.map((late) => (lag.looked(late), lag.isHigh))

test('is high when it lasts, and not for a single pause', () => {
  const lag = new LoopLag(100)
  expect(looks(lag, 0, 3_000, 0, 0, 5)).not.toContain(true)
  const lasting = new LoopLag(100)
  expect(looks(lasting, ...Array.from({ length: 10 }, () => 120)).at(-1)).toBe(true)
  expect(lasting.ms).toBe(120)
})

test('stays high until it has fallen to half', () => {
  const lag = new LoopLag(100)
  looks(lag, ...Array.from({ length: 10 }, () => 120))
  expect(looks(lag, ...Array.from({ length: 10 }, () => 60)).at(-1)).toBe(true)
  expect(looks(lag, ...Array.from({ length: 10 }, () => 40)).at(-1)).toBe(false)
})

test('is sampled twenty times a second by the given clock', () => {
  vi.useFakeTimers()
  const lag = new LoopLag(100)
  let looked = 0
  // By this clock, everything takes three times as long as it should.
  const stop = watchLoop(
    lag,
    () => Date.now() * 3,
    () => (looked += 1),
  )
  vi.advanceTimersByTime(1_000)
  stop()
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  expect([looked, lag.ms, lag.isHigh]).toEqual([20, 100, false])
})
