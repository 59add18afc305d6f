import { expect, test } from 'vitest'
import { SentenceSplitter } from './sentence-splitter.ts'

function split(text: string): string[] {
  const splitter = new SentenceSplitter()
  return [...splitter.write(text), ...splitter.end()].map((piece) => piece.text)
}

test('a sentence ends with all its marks and closing signs', () => {
  expect(split('Really?! (Yes...) No… Good. 日本語。。次。')).toEqual(['Really?!', '(Yes...)', 'No…', 'Good.', '日本語。。', '次。'])
})

test.each(['.', '…', '!?', '.)', '. ', 'a.'])('ends on %j, repeated half a million times', (piece) => {
  expect(split(piece.repeat(500_000)).join('').replaceAll(' ', '').length).toBe(piece.trim().length * 500_000)
})
