import { expect, test } from 'vitest'
import { mediaTypeOf } from './media-type.ts'

test.each([
  ['a.md', 'text/markdown'],
  ['b/a.TXT', 'text/plain'],
  ['a.b.html', 'text/html'],
  ['a.csv', 'text/csv'],
  ['a.pdf', 'application/pdf'],
])('%s is of the type %s', (file, type) => {
  expect(mediaTypeOf(file)).toBe(type)
})
