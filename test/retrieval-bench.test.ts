import { describe, expect, test } from 'vitest'
import { bm25, chunksOf } from '../bench/retrieval/bm25-baseline.ts'
import { hitRate, hitRatio, lostQuestions, meanReciprocalRank, measureSystem, type Result } from '../bench/retrieval/measure.ts'
import { withinBudget } from '../bench/retrieval/retrieval-system.ts'
import { answers, type Collection, readCollections } from '../eval/collections/collection.ts'
import { rawText } from '../eval/collections/raw-text.ts'

const GOLD = 'Chats are deleted after thirty days.'
const QUESTION = { natural: 'when do you throw my chats away?', keywords: 'deletion chats', gold: [GOLD] }

describe('question sets', () => {
  test.each(readCollections().map((collection) => [collection.package, collection] as const))(
    '%s has 40 questions, 10 of them in German too, and 10 without an answer',
    (_, { questions, unanswerable }) => {
      expect(questions).toHaveLength(40)
      expect(questions.filter(({ german }) => german !== undefined)).toHaveLength(10)
      expect(unanswerable).toHaveLength(10)
      for (const wordings of [questions.map(({ natural }) => natural), questions.map(({ keywords }) => keywords)])
        expect(new Set(wordings).size).toBe(40)
    },
  )

  test('hold out one collection', () => {
    expect(readCollections().map(({ use }) => use)).toEqual(['tuning', 'tuning', 'held-out'])
  })
})

describe('a hit', () => {
  test('is text that contains a quotation, ignoring white space', () => {
    expect(answers('Note:\n  Chats are\u00a0deleted\nafter thirty days. Really.', QUESTION)).toBe(true)
    expect(answers('Chats are deleted after sixty days.', QUESTION)).toBe(false)
  })

  test('is searched in all text of a page, with tags removed and entities decoded', () => {
    expect(rawText('<style>p{}</style><p>A &amp; <b>b</b>old</p><p>c</p><script>x</script>')).toBe('A & bold c')
  })

  test('counts only within the characters that a model receives', async () => {
    const texts = [
      { text: 'x'.repeat(7_970), score: 2 },
      { text: GOLD, score: 1 },
    ]
    expect(withinBudget(texts).map(({ text }) => text.length)).toEqual([7_970, 30])
    const collection = { ...COLLECTION, questions: [QUESTION] }
    const { byWording } = await measureSystem({ name: 'long', search: async () => texts }, collection)
    expect(byWording.natural).toEqual([{ rank: null, topScore: 2 }])
  })
})

describe('figures', () => {
  const results: Result[] = [1, 4, null, 1].map((rank) => ({ rank, topScore: 1 }))

  test('are the share of questions with a right passage, and the mean of its reciprocal rank', () => {
    expect(hitRate(results)).toBe(0.75)
    expect(meanReciprocalRank(results)).toBe(2.25 / 4)
  })

  test('compare two searches question by question', () => {
    expect(hitRatio(results, results)).toEqual({ ratio: 1, low: 1, high: 1 })
    const { ratio, low, high } = hitRatio(results, [results[0] as Result, results[2] as Result, results[2] as Result, results[3] as Result])
    expect(ratio).toBe(1.5)
    expect(low).toBe(1)
    expect(high).toBeGreaterThan(1.5)
  })

  test('count a quotation found in no passage as lost', () => {
    expect(lostQuestions([QUESTION], ['Chats are deleted', 'after thirty days.'])).toEqual([QUESTION])
    expect(lostQuestions([QUESTION], ['a', `b ${GOLD}`])).toEqual([])
  })
})

describe('the baseline', () => {
  test('ranks by BM25 over chunks with their titles', () => {
    const chunks = chunksOf([
      { id: 'a', title: 'Cookies', text: 'word '.repeat(400).trim() },
      { id: 'b', title: 'Chats', text: 'How chats are deleted.' },
    ])
    expect(chunks.every((chunk) => chunk.length <= 1_010)).toBe(true)
    expect(chunks.filter((chunk) => chunk.startsWith('Cookies\n'))).toHaveLength(2)
    const search = bm25(chunks, (word) => word.replace(/s$/, ''))
    expect(search('deleted chat', 1).map(({ index }) => index)).toEqual([chunks.length - 1])
    expect(search('the', 1)).toEqual([])
  })
})

const COLLECTION: Collection = {
  package: 'none',
  version: '1',
  folder: '.',
  use: 'tuning',
  questions: [],
  unanswerable: ['what is the meaning of life?'],
}
