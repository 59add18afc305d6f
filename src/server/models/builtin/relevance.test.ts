import { expect, test } from 'vitest'
import type { FoundPassage } from '../../knowledge/retrieval/search.ts'
import { informativeWords, judgePassages } from './relevance.ts'

const informative = await informativeWords('en')

/** A passage whose text has these words of "harbour ferry price". */
function passage(
  id: string,
  words: readonly string[],
  { score = 0, closeness = null as number | null, place = 'text' as 'text' | 'heading' | 'keywords' },
): FoundPassage {
  const matches = ['harbour', 'ferry', 'price'].map((word) => ({
    word,
    place: words.includes(word) ? place : null,
    passages: 3,
    weight: 2,
  }))
  const text = `This is about ${words.join(' and ')}.`
  return {
    id,
    title: id,
    breadcrumb: id,
    heading: id,
    file: `${id}.md`,
    address: null,
    asOf: null,
    text,
    score,
    relevance: 0.5,
    closeness,
    matches,
  }
}

const reasons = (...passages: FoundPassage[]) => judgePassages(passages, 'harbour ferry price', informative).map(({ reason }) => reason)

test('a passage with most of the words is quoted if it is ahead of the next', () => {
  const [first, all] = [
    ['harbour', 'ferry'],
    ['harbour', 'ferry', 'price'],
  ]
  expect(reasons(passage('a', first, { score: 1 }), passage('b', [], { score: 0.5 }))[0]).toBeNull()
  expect(reasons(passage('a', first, { score: 1 }), passage('b', [], { score: 0.7 }))[0]).toBe('ambiguous')
  expect(reasons(passage('a', all, { score: 1 }), passage('b', [], { score: 0.7 }))[0]).toBeNull()
  expect(reasons(passage('a', ['harbour'], { score: 1 }))[0]).toBe('low_relevance')
})

test('a passage with a price answers what asks for one with a single word of it, and not what asks for something else', () => {
  const priced = { ...passage('a', ['ferry'], { score: 1 }), text: 'The ferry takes 5 €.' }
  const matches = (...words: string[]) => (priced.matches ?? []).filter(({ word }) => words.includes(word))
  const judged = (prompt: string, found: typeof priced) => judgePassages([found], prompt, informative)[0]?.reason
  expect(judged('What is the price of the ferry?', { ...priced, matches: matches('ferry', 'price') })).toBeNull()
  expect(
    judged('What is the price of the ferry?', { ...priced, matches: matches('ferry', 'price'), text: 'The ferry is red.' }),
  ).not.toBeNull()
  expect(judged('Who is on the ferry?', { ...priced, matches: matches('ferry') })).toBe('other_words')
  expect(judged('ferry', { ...priced, matches: matches('ferry') })).toBeNull()
})

test('a passage is not quoted if another is closer in meaning, unless its keywords are the words', () => {
  const all = ['harbour', 'ferry', 'price']
  const other = (closeness: number) => passage('b', [], { score: 0.2, closeness })
  expect(reasons(passage('a', all, { score: 1, closeness: 0.05 }), other(0.08))).toEqual(['ambiguous', 'low_relevance'])
  expect(reasons(passage('a', all, { score: 1, closeness: 0.05 }), other(0.045))[0]).toBe('ambiguous')
  expect(reasons(passage('a', all, { score: 1, closeness: 0.05 }), other(0.035))[0]).toBeNull()
  expect(reasons(passage('a', all, { score: 1, closeness: 0.05, place: 'heading' }), other(0.08))[0]).toBe('ambiguous')
  expect(reasons(passage('a', all, { score: 1, closeness: 0.05, place: 'keywords' }), other(0.08))[0]).toBeNull()
})

test('without its words, a passage is quoted if it is by far the closest in meaning, and by less if it is first by words too', () => {
  const next = passage('b', [], { score: 0.2, closeness: 0.05 })
  expect(reasons(next, passage('a', [], { closeness: 0.11 }))).toEqual(['low_relevance', null])
  expect(reasons(next, passage('a', [], { closeness: 0.095 }))).toEqual(['low_relevance', 'low_relevance'])
  expect(reasons(passage('a', ['harbour'], { score: 1, closeness: 0.1 }), next)[0]).toBeNull()
  expect(reasons(passage('a', [], { closeness: 0.08 }), passage('b', [], { closeness: -0.1 }))[0]).toBe('low_relevance')
})
