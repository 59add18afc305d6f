import { expect, test } from 'vitest'
import { StreamHealth } from './stream-health.ts'

function health() {
  const clock = { ms: 1_000 }
  return { clock, streams: new StreamHealth(() => clock.ms) }
}

test('gives streams up after two in a row that were cut off, and no sooner', () => {
  const { streams } = health()
  streams.wasCut()
  streams.wasWhole()
  streams.wasCut()
  expect(streams.areCut).toBe(false)
  streams.wasCut()
  expect(streams.areCut).toBe(true)
})

test('tries one again after two minutes, and gives up again if that one is cut off too', () => {
  const { clock, streams } = health()
  streams.wasCut()
  streams.wasCut()
  clock.ms += 119_999
  expect(streams.areCut).toBe(true)
  clock.ms += 1
  expect(streams.areCut).toBe(false)
  streams.wasCut()
  expect(streams.areCut).toBe(true)
})

test('goes back to streams as soon as one is whole', () => {
  const { streams } = health()
  streams.wasCut()
  streams.wasCut()
  streams.wasWhole()
  expect(streams.areCut).toBe(false)
})
