import { expect, test } from 'vitest'
import { highest } from './top.ts'

test('the highest positive values come first, equal ones in their order', () => {
  const values = Float32Array.from([1, 3, 0, 2, 3, -1, 2])
  expect(highest(values, 10, () => true)).toEqual([1, 4, 3, 6, 0])
  expect(highest(values, 3, () => true)).toEqual([1, 4, 3])
  expect(highest(values, 3, (position) => position !== 4)).toEqual([1, 3, 6])
  expect(highest(Float32Array.from([1, 2, 3]), 1, () => true)).toEqual([2])
})
