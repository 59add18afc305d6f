import { expect, test } from 'vitest'
import { CountsInMemory } from './memory-counters.ts'

const count = (key: string, endsAt = 100) => [{ key, endsAt }]

test('counts until the window ends, and then anew', () => {
  const counts = new CountsInMemory()
  expect(counts.up(count('a'), 0).get('a')).toBe(1)
  expect(counts.up(count('a'), 99).get('a')).toBe(2)
  expect(counts.up(count('a', 200), 100).get('a')).toBe(1)
})

test('takes back what came to nothing, and never below nothing', () => {
  const counts = new CountsInMemory()
  counts.up(count('a'), 0)
  counts.down(['a', 'a', 'unknown'])
  expect(counts.up(count('a'), 0).get('a')).toBe(1)
})

test('lets new keys share one count when it is full, and goes on counting those that it has', () => {
  const counts = new CountsInMemory(2)
  for (const key of ['a', 'b']) counts.up(count(key), 0)
  expect(['c', 'd', 'e'].map((key) => counts.up(count(key), 0).get(key))).toEqual([1, 2, 3])
  expect(counts.up(count('a'), 0).get('a')).toBe(2)
})

test('makes room for new keys with those whose window has ended', () => {
  const counts = new CountsInMemory(2)
  for (const key of ['a', 'b']) counts.up(count(key), 0)
  expect(['c', 'd'].map((key) => counts.up(count(key, 200), 100).get(key))).toEqual([1, 1])
})
