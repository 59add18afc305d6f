import { describe, expect, test } from 'vitest'
import { estimateJson } from '../../models/tokens/estimate-messages.ts'
import { cutAtSentence, trimmedOutput } from './trim-output.ts'

const SENTENCES = 'The pump is at the lower right. It has a filter. Clean it twice a year! '
const passage = (number: number) => ({ number, title: `Pump ${number}`, text: SENTENCES.repeat(20) })

describe('a result', () => {
  test('of a search drops passages first, then is shortened at a sentence', () => {
    const value = { passages: [1, 2, 3, 4].map(passage), topics: [] }
    const fewer = trimmedOutput(value, 700) as typeof value
    expect(fewer.passages[0]).toEqual(passage(1))
    expect(fewer.passages.length).toBeLessThan(4)
    const shorter = trimmedOutput(value, 150) as typeof value
    expect(shorter.passages.map(({ number }) => number)).toEqual([1])
    expect(shorter.passages[0]?.text).toMatch(/[.!]$/)
    expect(shorter.topics).toEqual([])
  })

  test.each([
    ['a long text', 'word '.repeat(20_000)],
    ['a text without spaces', 'x'.repeat(60_000)],
    ['Chinese', '洗衣机的水泵在右下方的盖子后面。'.repeat(2_000)],
    ['many fields', Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field${index}`, `value ${index}`]))],
    ['lists in lists', Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => ['a', 'b', 'c']))],
    ['depth', JSON.parse(`${'{"a":['.repeat(300)}"end"${']}'.repeat(300)}`) as unknown],
    ['mixed fields', { id: 7, note: 'short', body: SENTENCES.repeat(500), rows: Array.from({ length: 900 }, (_, row) => ({ row })) }],
  ])('of %s is shortened as needed, as untrusted content too', (_, value) => {
    for (const maxTokens of [60, 400, 3_000])
      for (const output of [value, { source: 'a tool', content: value }])
        expect(estimateJson(trimmedOutput(output, maxTokens))).toBeLessThanOrEqual(maxTokens * 1.1)
  })

  test('of a tool keeps its source, and the beginning of its content as text', () => {
    expect(trimmedOutput({ source: 'a tool', content: { id: 7, body: SENTENCES.repeat(500) } }, 200)).toEqual({
      source: 'a tool',
      content: expect.stringMatching(/^{"id":7,"body":"The pump.*[.!]$/),
    })
  })
})

test.each([
  ['One. Two is long. Three', 20, 'One. Two is long.'],
  ['没有句子。第二句很长很长。第三句', 14, '没有句子。第二句很长很长。'],
  ['no sentence ends here at all', 20, 'no sentence ends …'],
  ['version 3.14 and 2.71 are numbers that', 30, 'version 3.14 and 2.71 are …'],
  ['short', 20, 'short'],
  ['😀😀😀😀😀😀', 5, '😀 …'],
])('%j in %i characters is %j', (text, maxCharacters, expected) => {
  expect(cutAtSentence(text, maxCharacters)).toBe(expected)
})
