import { expect, test } from 'vitest'
import { NOT_DELETABLE } from '../../../contract/receipt-labels.ts'
import { labelOf } from './receipt-labels.ts'

test.each(Object.values(NOT_DELETABLE).flatMap((said) => Object.values(said)))('“%s” can be translated', (english) => {
  expect(labelOf(english)).toBe(english)
})

test('fields without a label are shown as they are', () => {
  expect(labelOf('models.example.org')).toBeUndefined()
})
