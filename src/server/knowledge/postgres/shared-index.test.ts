import { expect, test } from 'vitest'
import { KnownTerms } from './candidate-index.ts'
import { groupOf, rarestOf } from './shared-index.ts'

const known = new KnownTerms()
known.learn([
  ['rare', 10],
  ['usual', 15_000],
  ['common', 19_000],
  ['everywhere', 90_000],
  ['nowhere', 0],
])

test('the rarest terms find candidates, up to a number of matches', () => {
  expect(rarestOf(['common', 'usual', 'rare', 'usual'], known)).toEqual(['rare', 'usual'])
  expect(rarestOf(['everywhere'], known)).toEqual(['everywhere'])
  expect(rarestOf(['usual', 'unknown'], known)).toEqual(['unknown', 'usual'])
})

test('a word counts as much as the rarest of its terms, by the weight of the word', () => {
  const group = (terms: string[], weight: number) =>
    groupOf({ terms: terms.map((term) => ({ term, weight: 1 })), weight } as Parameters<typeof groupOf>[0], known, 100_000)
  const [rare, usual] = [group(['rare'], 1), group(['usual'], 1)]
  expect(rare.weight).toBeGreaterThan(usual.weight)
  expect(group(['usual', 'rare', 'nowhere'], 1)).toEqual({ terms: ['usual', 'rare'], weight: rare.weight })
  expect(group(['rare'], 0.5).weight).toBeCloseTo(rare.weight / 2)
})
