import { describe, expect, test } from 'vitest'
import { cutAtSpaces, sentencesOf, trimmedAtSentence } from './sentences.ts'

describe('a text cut at spaces', () => {
  test('is cut at the last space that fits, or anywhere without one', () => {
    expect(cutAtSpaces('one two three', 8)).toEqual(['one two', ' three'])
    expect(cutAtSpaces('abcdefgh', 3)).toEqual(['abc', 'def', 'gh'])
  })

  test('takes a character of private use for a whole one', () => {
    expect(cutAtSpaces('\ue000'.repeat(4), 3)).toEqual(['\ue000'.repeat(3), '\ue000'])
  })

  test.each(['\u{10000}', '\u{103ff}'])('keeps the halves of %j together', (character) => {
    expect(cutAtSpaces(character.repeat(3), 3)).toEqual([character, character, character])
  })
})

test.each([
  ['Is it open? Yes, today.', 2],
  ['यह खुला है। आज भी।', 2],
  ['هل هو مفتوح؟ نعم.', 2],
  ['开着吗？是的。', 2],
])('%j has its sentences', (text, count) => {
  expect(sentencesOf(text)).toHaveLength(count)
})

describe('a text trimmed at a sentence', () => {
  test.each([
    ['One two. Three four.', 20],
    ['One two. Three', 19],
    ['One two.', 15],
    ['One two.', 8],
    ['One two. Three four. Five.', 26],
  ])('is %j in %i characters, of words if the sentences take less than half', (trimmed, characters) => {
    expect(trimmedAtSentence('One two. Three four. Five.', characters)).toBe(trimmed)
  })
})
