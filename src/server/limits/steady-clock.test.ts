import { expect, test } from 'vitest'
import { steadyClock } from './steady-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function machine() {
  const state = { wall: 1_000_000, monotonic: 50 }
  const clock = steadyClock({ wall: () => state.wall, monotonic: () => state.monotonic })
  return {
    clock,
    pass: (ms: number) => {
      state.wall += ms
      state.monotonic += ms
    },
    jump: (ms: number) => {
      state.wall += ms
    },
  }
}

test('follows the wall clock', () => {
  const { clock, pass } = machine()
  expect(clock()).toBe(1_000_000)
  pass(MINUTE_MS)
  expect(clock()).toBe(1_000_000 + MINUTE_MS)
})

test('returns whole milliseconds without losing fractions', () => {
  const { clock, pass } = machine()
  const times = Array.from({ length: 4 }, () => {
    pass(0.4)
    return clock()
  })
  expect(times).toEqual([1_000_000, 1_000_000, 1_000_001, 1_000_001])
})

test.each([HOUR_MS, 365 * 24 * HOUR_MS])('does not jump with the wall clock by %i ms', (jump) => {
  const { clock, jump: jumpWall, pass } = machine()
  jumpWall(jump)
  expect(clock()).toBe(1_000_000)
  pass(MINUTE_MS)
  expect(clock()).toBe(1_000_000 + 2 * MINUTE_MS)
})

test('never goes back, and waits for a wall clock that went back', () => {
  const { clock, jump, pass } = machine()
  jump(-HOUR_MS)
  expect(clock()).toBe(1_000_000)
  pass(MINUTE_MS)
  expect(clock()).toBe(1_000_000 + MINUTE_MS / 2)
})

test('catches up with the wall clock after a jump', () => {
  const { clock, jump, pass } = machine()
  jump(HOUR_MS)
  for (let minute = 0; minute < 61; minute += 1) {
    pass(MINUTE_MS)
    clock()
  }
  expect(clock()).toBe(1_000_000 + HOUR_MS + 61 * MINUTE_MS)
})
