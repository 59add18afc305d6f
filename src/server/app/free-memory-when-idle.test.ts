import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freeMemoryWhenIdle } from './free-memory-when-idle.ts'

const MEGABYTE = 1024 * 1024
let active: number
let heap: number
let collections: number
let end: () => void
beforeEach(() => {
  vi.useFakeTimers()
  active = 2_000
  heap = 40 * MEGABYTE
  collections = 0
  end = freeMemoryWhenIdle({
    collect() {
      collections += 1
      active += 150
      heap = 41 * MEGABYTE
    },
    activeMs: () => active,
    heapBytes: () => heap,
  })
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

const interval = ({ busyMs, megabytes }: { busyMs: number; megabytes: number }) => {
  active += busyMs
  heap += megabytes * MEGABYTE
  vi.advanceTimersByTime(5_000)
}
const idle = { busyMs: 10, megabytes: 0 }

test('collects once after work, in the first idle interval', () => {
  interval({ busyMs: 400, megabytes: 30 })
  expect(collections).toBe(0)
  interval(idle)
  expect(collections).toBe(1)
  for (let number = 0; number < 100; number += 1) interval(idle)
  expect(collections).toBe(1)
  interval({ busyMs: 400, megabytes: 30 })
  interval(idle)
  expect(collections).toBe(2)
})

test('does not collect while the server works', () => {
  for (let number = 0; number < 100; number += 1) interval({ busyMs: 120, megabytes: 1 })
  expect(collections).toBe(0)
})

test('does not collect while there is little to free', () => {
  interval({ busyMs: 400, megabytes: 3 })
  for (let number = 0; number < 100; number += 1) interval(idle)
  expect(collections).toBe(0)
})

test('ends when it is told to', () => {
  interval({ busyMs: 400, megabytes: 30 })
  end()
  interval(idle)
  expect(collections).toBe(0)
})
