import { expect, test } from 'vitest'
import { countRetry, retriesOf } from './automatic-retries.ts'

test('counts the retries of each prompt, and forgets those of a hundred others ago', () => {
  for (const id of ['a', 'b', 'a']) countRetry(id)
  expect(['a', 'b', 'c'].map(retriesOf)).toEqual([2, 1, 0])
  for (let other = 0; other < 99; other += 1) countRetry(`other-${other}`)
  expect(['a', 'b'].map(retriesOf)).toEqual([0, 1])
})
