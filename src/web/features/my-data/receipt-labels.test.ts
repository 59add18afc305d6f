import { expect, test } from 'vitest'
import { OUT_OF_REACH } from '../../../contract/receipt-labels.ts'
import { inWords } from './receipt-labels.ts'

test.each(Object.values(OUT_OF_REACH).flatMap((said) => Object.values(said)))('the page can say “%s” in other languages', (english) => {
  expect(inWords(english)).toBe(english)
})

test('what nobody has words for is left to be shown as it is', () => {
  expect(inWords('models.example.org')).toBeUndefined()
})
