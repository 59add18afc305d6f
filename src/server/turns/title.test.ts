import { expect, test } from 'vitest'
import { MAX_TITLE_CHARACTERS } from '../../contract/size-limits.ts'
import { titleOf } from './title.ts'

const WORD = 'library '

test.each([
  ['a short prompt', '  When do you open?  ', 'When do you open?'],
  ['the first line', 'Fees\nand more', 'Fees'],
  ['as many characters as fit', 'x'.repeat(MAX_TITLE_CHARACTERS), 'x'.repeat(MAX_TITLE_CHARACTERS)],
  ['a word that is too long, cut', 'x'.repeat(MAX_TITLE_CHARACTERS + 1), `${'x'.repeat(MAX_TITLE_CHARACTERS - 1)}…`],
  ['no half of an emoji', '🦩'.repeat(MAX_TITLE_CHARACTERS + 1), `${'🦩'.repeat(MAX_TITLE_CHARACTERS - 1)}…`],
])('a title is %s', (_, prompt, title) => {
  expect(titleOf(prompt)).toBe(title)
})

test('a long title is cut between words, unless little would be left', () => {
  for (let length = 0; length < WORD.length; length += 1) {
    const title = titleOf('x'.repeat(length) + WORD.repeat(MAX_TITLE_CHARACTERS))
    expect(title).toMatch(/^x*(?:library )+library…$/)
    expect(title.length).toBeGreaterThan(MAX_TITLE_CHARACTERS - WORD.length - 1)
  }
  expect(titleOf(`a ${'x'.repeat(MAX_TITLE_CHARACTERS)}`)).toHaveLength(MAX_TITLE_CHARACTERS)
})
