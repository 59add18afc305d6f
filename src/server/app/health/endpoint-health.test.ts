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

test('tells models apart, each with its newest failure', () => {
  const counts = new EndpointCounts(() => 0)
  counts.turnEnded('large', 'model_busy')
  counts.turnEnded('small', null)
  counts.turnEnded('large', 'model_timeout')
  expect(counts.recent).toEqual([
    { name: 'large', answered: 0, failed: 2, lastFailure: 'model_timeout' },
    { name: 'small', answered: 1, failed: 0, lastFailure: null },
  ])
})
