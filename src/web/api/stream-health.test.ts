import { expect, test } from 'vitest'
import { StreamHealth } from './stream-health.ts'

function health() {
  const clock = { ms: 1_000 }
  const streams = new StreamHealth(() => clock.ms)
  const cutLater = () => {
    clock.ms += 1_000
    streams.reportCut()
  }
  return { clock, streams, cutLater }
}

test('stops using streams after two in a row were cut off', () => {
  const { streams, cutLater } = health()
  streams.reportCut()
  streams.reportComplete()
  cutLater()
  expect(streams.isBlocked).toBe(false)
  cutLater()
  expect(streams.isBlocked).toBe(true)
})

test('tries a stream again after two minutes, and stops again if that one is cut off', () => {
  const { clock, streams, cutLater } = health()
  streams.reportCut()
  cutLater()
  clock.ms += 119_999
  expect(streams.isBlocked).toBe(true)
  clock.ms += 1
  expect(streams.isBlocked).toBe(false)
  streams.reportCut()
  expect(streams.isBlocked).toBe(true)
})

test('uses streams again as soon as one ends normally', () => {
  const { streams, cutLater } = health()
  streams.reportCut()
  cutLater()
  streams.reportComplete()
  expect(streams.isBlocked).toBe(false)
})

test('counts streams that end together as one', () => {
  const { clock, streams } = health()
  streams.reportCut()
  clock.ms += 999
  streams.reportCut()
  expect(streams.isBlocked).toBe(false)
})
