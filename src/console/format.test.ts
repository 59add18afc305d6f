import { expect, test } from 'vitest'
import { sizeOf } from './format.ts'

test('names a size in the largest unit of which there is a whole one', () => {
  expect([900, 1_536, 5 * 1024 ** 2, 67.5 * 1024 ** 3].map(sizeOf)).toEqual(['900 bytes', '1.5 kB', '5 MB', '67.5 GB'])
})
