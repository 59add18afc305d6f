import { expect, test } from 'vitest'
import { topicQuery, topicSearch } from './topic-search.ts'

const passage = {
  file: 'a.md',
  breadcrumb: 'A',
  place: null,
  asOf: null,
  text: 'Short.',
  score: 1,
  relevance: 1,
  missed: null,
} as const

test('the words that a topic shows are searched for, without the sign of a beginning', () => {
  expect(topicQuery({ phrases: ['bulky waste'], words: ['permit…', 'sofa'] })).toBe('bulky waste permit sofa')
  expect(topicQuery({ phrases: ['long '.repeat(200)], words: [] }).length).toBeLessThanOrEqual(500)
})

test('eight passages are shown, with the beginning of a long text', () => {
  const passages = [
    { ...passage, text: `a${'😀'.repeat(500)}` },
    { ...passage, text: 'é'.repeat(401) },
    ...Array.from({ length: 30 }, () => passage),
  ]
  const found = topicSearch('sauna', { usedBy: 'model', minRelevance: null, passages })
  expect(found).toMatchObject({ query: 'sauna', usedBy: 'model' })
  expect(found.passages).toHaveLength(8)
  expect(found.passages.slice(0, 3).map(({ text }) => text)).toEqual([`a${'😀'.repeat(199)}…`, `${'é'.repeat(400)}…`, 'Short.'])
})
