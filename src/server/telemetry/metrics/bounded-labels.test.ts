import { expect, test } from 'vitest'
import { BoundedLabels } from './bounded-labels.ts'

test('values after the limit share one label, and earlier ones keep theirs', () => {
  const labels = new BoundedLabels(2)
  expect(['a', 'b', 'c', 'd', 'a', 'b'].map((value) => labels.of(value))).toEqual(['a', 'b', 'other', 'other', 'a', 'b'])
})
