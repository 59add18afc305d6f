import { expect, test } from 'vitest'
import { EndpointCounts } from './endpoint-health.ts'

test('counts answers and failures of the last ten minutes, and no other ends', () => {
  let now = 0
  const counts = new EndpointCounts(() => now)
  counts.turnEnded('large', null)
  now = 9 * 60_000
  counts.turnEnded('large', 'model_busy')
  counts.turnEnded('large', 'budget_exhausted')
  expect(counts.recent).toEqual([{ name: 'large', answered: 1, failed: 1, lastFailure: 'model_busy' }])
  now = 10 * 60_000
  expect(counts.recent).toEqual([{ name: 'large', answered: 0, failed: 1, lastFailure: 'model_busy' }])
  now = 20 * 60_000
  expect(counts.recent).toEqual([])
})

test('has a bounded number of names, and adds what several minutes saw', () => {
  let now = 0
  const counts = new EndpointCounts(() => now)
  for (let index = 0; index < 50; index += 1) counts.turnEnded(`model ${index}`, null)
  expect(counts.recent).toHaveLength(20)
  now = 120_000
  counts.turnEnded('model 0', 'model_busy')
  expect(counts.recent[0]).toEqual({ name: 'model 0', answered: 1, failed: 1, lastFailure: 'model_busy' })
})
