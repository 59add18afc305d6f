import { expect, test } from 'vitest'
import { KnowledgeIndex } from '../index/knowledge-index.ts'
import { readMarkdown } from '../ingestion/markdown.ts'
import { passagesOf } from '../ingestion/passages.ts'
import { fuse, type ScoredPassage, type WordPassage } from './fusion.ts'
import { rankPassages } from './search.ts'

const SIZE = 10_000
const scored = (scores: Record<number, number>): ScoredPassage[] =>
  Object.entries(scores)
    .map(([id, score]) => ({ id: Number(id), score }))
    .toSorted((one, other) => other.score - one.score)
const covering = (relevance: number, words: Record<number, number>): WordPassage[] =>
  scored(words).map((passage) => ({ ...passage, relevance }))
const order = (words: Record<number, number>, near: Record<number, number>) =>
  fuse(covering(1, words), scored(near), SIZE).map(({ id }) => id)

test('either ranking alone keeps its order', () => {
  expect(order({ 1: 9, 2: 7, 3: 1 }, {})).toEqual([1, 2, 3])
  expect(order({}, { 1: 0.8, 2: 0.7, 3: 0.2 })).toEqual([1, 2, 3])
  expect(order({}, { 1: 0.8 })).toEqual([1])
})

test('a passage in both rankings comes before those in one', () => {
  expect(order({ 1: 6, 2: 5.5 }, { 3: 0.6, 2: 0.57, 4: 0.1 })[0]).toBe(2)
})

test('the nearest counts in full, also alone, and the last of the near ones not at all', () => {
  expect(order({ 1: 3 }, { 2: 0.8 })).toEqual([2, 1])
  expect(order({ 1: 6 }, { 2: 0.8, 3: 0.1 })).toEqual([2, 1, 3])
})

test('words found in only one passage outweigh the nearest vector', () => {
  expect(order({ 1: 24, 2: 6 }, { 3: 0.6, 2: 0.57, 4: 0.1 })[0]).toBe(1)
})

test('the nearest vector outweighs a weak word match', () => {
  expect(order({ 1: 3, 2: 2.9 }, { 3: 0.6, 5: 0.57, 4: 0.1 })[0]).toBe(3)
})

test('the fewer of the query’s words a passage has, the more the vectors decide', () => {
  const first = (relevance: number) => fuse(covering(relevance, { 1: 12 }), scored({ 2: 0.8, 3: 0.6, 1: 0.4 }), SIZE)[0]?.id
  expect(first(0.9)).toBe(1)
  expect(first(0.2)).toBe(2)
})

test('words decide if all vectors are equally near', () => {
  expect(order({ 1: 6, 2: 4 }, { 2: 0.8101, 3: 0.81, 1: 0.8099 })[0]).toBe(1)
})

test('the scale of the cosine similarities does not matter, only their differences', () => {
  const words = { 1: 8, 2: 7.5, 3: 6 }
  expect(order(words, { 3: 0.6, 2: 0.4, 4: 0 })).toEqual(order(words, { 3: 0.9, 2: 0.8, 4: 0.6 }))
})

test('ranks the passages of an index by both', () => {
  const index = new KnowledgeIndex()
  const ids = index.add(
    passagesOf('a.md', readMarkdown('# A\n\n## Tea pot\n\nFor tea.\n\n## Tea cup\n\nFor tea too.\n\n## Kettle\n\nBoils water.\n')),
  )
  const [, cup = 0, kettle = 0] = ids
  const headingsOf = (near: number[]) =>
    rankPassages(
      index,
      'drinking cup',
      { folders: ['.'], caller: 'model' },
      near.map((id, rank) => ({ id, score: 0.6 - 0.3 * rank })),
    ).map(({ heading }) => heading)
  expect(headingsOf([])).toEqual(['Tea cup'])
  expect(headingsOf([kettle])).toEqual(expect.arrayContaining(['Tea cup', 'Kettle']))
  expect(headingsOf([cup, kettle])[0]).toBe('Tea cup')
})
