import { expect, test } from 'vitest'
import { SentenceSplitter } from './sentence-splitter.ts'

function split(text: string): string[] {
  const splitter = new SentenceSplitter()
  return [...splitter.write(text), ...splitter.end()].map((piece) => piece.text)
}

test('a sentence ends with all its marks and closing signs', () => {
  expect(split('Really?! (Yes...) No… Good. 日本語。。次。')).toEqual(['Really?!', '(Yes...)', 'No…', 'Good.', '日本語。。', '次。'])
})

/** Processor time of this thread for a text, the least of several readings. */
function costOf(text: string): number {
  const costs = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    split(text)
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  })
  return Math.min(...costs)
}

test.each(['.', '…', '!?', '。', '.)'])('a run of %j costs about what other text costs', (piece) => {
  const characters = 100_000
  const words = costOf('word '.repeat(characters / 5))
  expect(costOf(piece.repeat(characters / piece.length))).toBeLessThan(200 * words)
})
