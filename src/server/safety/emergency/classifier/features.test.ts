import { expect, test } from 'vitest'
import { featuresOf } from './features.ts'

test('reads 120 words', () => {
  const words = Array.from({ length: 122 }, (_, index) => `a${index}`)
  const read = featuresOf(words.slice(0, 120).join(' '))
  expect(featuresOf(words.slice(0, 119).join(' '))).not.toEqual(read)
  expect(featuresOf(words.join(' '))).toEqual(read)
})

test('reads each character, and each sequence, of a script without spaces', () => {
  expect(featuresOf('痛')).toHaveLength(1)
  // 痛, い, 痛い, and 痛い as a stem.
  expect(featuresOf('痛い')).toHaveLength(4)
})
