import { expect, test } from 'vitest'
import { boundedLabels } from './bounded-labels.ts'

test('values after the limit share one label, and earlier ones keep theirs', () => {
  const labels = boundedLabels(2)
  expect(['a', 'b', 'c', 'd', 'a', 'b'].map((value) => labels(value))).toEqual(['a', 'b', 'other', 'other', 'a', 'b'])
})
