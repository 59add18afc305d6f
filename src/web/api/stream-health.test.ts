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

test('gives streams up after two in a row that were cut off, and no sooner', () => {
  const { streams, cutLater } = health()
  streams.reportCut()
  streams.reportComplete()
  cutLater()
  expect(streams.isBlocked).toBe(false)
  cutLater()
  expect(streams.isBlocked).toBe(true)
})

test('tries one again after two minutes, and gives up again if that one is cut off too', () => {
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

test('goes back to streams as soon as one is whole', () => {
  const { streams, cutLater } = health()
  streams.reportCut()
  cutLater()
  streams.reportComplete()
  expect(streams.isBlocked).toBe(false)
})

test('takes streams that end together for one', () => {
  const { clock, streams } = health()
  streams.reportCut()
  clock.ms += 999
  streams.reportCut()
  expect(streams.isBlocked).toBe(false)
})
