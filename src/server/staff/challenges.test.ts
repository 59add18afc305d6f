import { expect, test } from 'vitest'
import { Challenges } from './challenges.ts'

test('a challenge works once, for whom it was given, for five minutes', () => {
  let now = 0
  const challenges = new Challenges(() => now)
  challenges.add('first', 'ada')
  challenges.add('second', 'bob')
  expect([challenges.take('first'), challenges.take('first'), challenges.take('unknown')]).toEqual(['ada', undefined, undefined])
  now += 5 * 60_000 - 1
  challenges.add('third', 'ada')
  expect(challenges.take('second')).toBe('bob')
  now += 5 * 60_000
  expect(challenges.take('third')).toBeUndefined()
})

test('the oldest of too many challenges is forgotten', () => {
  const challenges = new Challenges(() => 0)
  for (let number = 0; number <= 1_000; number += 1) challenges.add(String(number), 'ada')
  expect([challenges.take('0'), challenges.take('1'), challenges.take('1000')]).toEqual([undefined, 'ada', 'ada'])
})
