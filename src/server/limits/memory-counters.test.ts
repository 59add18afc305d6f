import { expect, test } from 'vitest'
import { CountsInMemory } from './memory-counters.ts'

const count = (key: string, endsAt = 100) => [{ key, endsAt }]

test('counts until the window ends, and then starts over', () => {
  const counts = new CountsInMemory()
  expect(counts.up(count('a'), 0).get('a')).toBe(1)
  expect(counts.up(count('a'), 99).get('a')).toBe(2)
  expect(counts.up(count('a', 200), 100).get('a')).toBe(1)
  expect(counts.up(count('a', 200), 199).get('a')).toBe(2)
})

test('undoes a count, and never goes below zero', () => {
  const counts = new CountsInMemory()
  counts.up(count('a'), 0)
  counts.down(['a', 'a', 'unknown'])
  expect(counts.up(count('a'), 0).get('a')).toBe(1)
})

test('counts new keys together when it is full, and existing ones as before', () => {
  const counts = new CountsInMemory(2)
  for (const key of ['a', 'b']) counts.up(count(key), 0)
  expect(['c', 'd', 'e'].map((key) => counts.up(count(key), 0).get(key))).toEqual([1, 2, 3])
  expect(counts.up(count('a'), 0).get('a')).toBe(2)
})

test('reuses the room of keys whose window has ended', () => {
  const counts = new CountsInMemory(2)
  for (const key of ['a', 'b']) counts.up(count(key), 0)
  expect(['c', 'd'].map((key) => counts.up(count(key, 200), 100).get(key))).toEqual([1, 1])
})
