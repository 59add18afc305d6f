import { expect, test } from 'vitest'
import { editDistance, Vocabulary } from './vocabulary.ts'

test('a term has one number', () => {
  const vocabulary = new Vocabulary(['lamp', 'lid'])
  expect([vocabulary.add('lid'), vocabulary.add('box'), vocabulary.numberOf('box'), vocabulary.numberOf('bag')]).toEqual([
    1,
    2,
    2,
    undefined,
  ])
  expect(vocabulary.terms).toEqual(['lamp', 'lid', 'box'])
})

const near = (term: string, terms: Readonly<Record<string, number>>, limit = 5) =>
  new Vocabulary(Object.keys(terms)).near(term, (number) => Object.values(terms)[number] ?? 0, limit)

test('terms that begin with an unknown one are nearest, then those with a typo, the frequent ones first', () => {
  expect(near('kettl', { kettel: 9, kettle: 1, kettles: 3, kettledrum: 0, settle: 5, lamp: 5 })).toEqual([
    { term: 'kettles', kind: 'prefix' },
    { term: 'kettle', kind: 'prefix' },
    { term: 'kettel', kind: 'fuzzy' },
  ])
  expect(near('kettl', { kettle: 1, kettles: 3 }, 1)).toEqual([{ term: 'kettles', kind: 'prefix' }])
})

test('a term of eight letters may have two typos, a shorter one a single one', () => {
  expect(near('stetoins', { stations: 1 })).toEqual([{ term: 'stations', kind: 'fuzzy' }])
  expect(near('stetoin', { station: 1 })).toEqual([])
  expect(near('statoin', { station: 1 })).toEqual([{ term: 'station', kind: 'fuzzy' }])
})

test.each([
  ['lamp', 'lamp', 0],
  ['lamp', 'lapm', 1],
  ['lamp', 'alpm', 2],
  ['lamp', 'lam', 1],
  ['lamp', 'clamp', 1],
  ['lamp', 'lump', 1],
  ['', 'lid', 3],
])('from "%s" to "%s" it takes %i edits', (one, other, edits) => {
  expect(editDistance(one, other, 3)).toBe(edits)
})
