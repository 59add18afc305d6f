import { expect, test } from 'vitest'
import { findPersonalData } from './find-personal-data.ts'
import { mask } from './placeholders.ts'
import { unmask } from './unmask.ts'

const CARD = '4111 1111 1111 1111'
const OTHER = '5555555555554444'

test('replaces values by numbered placeholders, and puts them back', () => {
  const text = `cards ${CARD} and ${OTHER}, mail a@example.org`
  const masked = mask(text, findPersonalData(text))
  expect(masked.text).toBe('cards [card 1] and [card 2], mail [email 1]')
  expect(unmask(masked.text, masked.values)).toBe(text)
})

test('gives a value that it knows its placeholder, however it is written', () => {
  const first = mask(CARD, findPersonalData(CARD))
  const text = `again ${CARD.replaceAll(' ', '')}, then ${OTHER}`
  expect(mask(text, findPersonalData(text), first.values)).toEqual({
    text: 'again [card 1], then [card 2]',
    values: { '[card 1]': CARD, '[card 2]': OTHER },
  })
})

test('takes no number of a placeholder that is there already', () => {
  const text = `not [card 3] but ${CARD}`
  expect(mask(text, findPersonalData(text), {}, ['earlier [card 5]']).text).toBe('not [card 3] but [card 6]')
})

test('leaves placeholders without a value', () => {
  expect(unmask('[card 1] [card 2] [1] [toString 1]', { '[card 2]': CARD })).toBe(`[card 1] ${CARD} [1] [toString 1]`)
})
