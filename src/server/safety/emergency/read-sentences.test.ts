import { expect, test } from 'vitest'
import { readSentences } from './read-sentences.ts'

test('reads a long text at both ends', () => {
  const sentences = readSentences(`first. ${'a'.repeat(10_000)}. middle. ${'b'.repeat(10_000)}. last`).map(({ text }) => text)
  expect([sentences[0], sentences.at(-1), sentences.includes('middle')]).toEqual(['first', 'last', false])
  expect(sentences.join('').length).toBeLessThanOrEqual(8_000)
})
