import { describe, expect, test } from 'vitest'
import { bounded, fittingScale, offsetAfter, wheelFactor } from './zoom.ts'

const ROOM = { width: 400, height: 300 }

describe('fits', () => {
  test.each([
    ['a wide picture by its width', { width: 800, height: 100 }, { most: 1, isText: false }, 0.5],
    ['a high picture by its height', { width: 100, height: 1_200 }, { most: 1, isText: false }, 0.25],
    ['a small picture as it is', { width: 100, height: 100 }, { most: 1, isText: false }, 1],
    ['a small diagram enlarged', { width: 100, height: 100 }, { most: 2, isText: false }, 2],
    ['a text by its width, with room for its borders', { width: 800, height: 9_000 }, { most: 1, isText: true }, 0.49],
    ['a narrow text as it is', { width: 400, height: 9_000 }, { most: 1, isText: true }, 1],
    ['an endless line of text no smaller than readable', { width: 80_000, height: 10 }, { most: 1, isText: true }, 0.25],
    ['what has no size yet as it is', { width: 0, height: 0 }, { most: 1, isText: false }, 1],
  ])('%s', (_, content, rules, scale) => {
    expect(fittingScale(content, ROOM, rules)).toBe(scale)
  })
})

test('keeps the scale between a quarter and eight times, except that all of a huge picture fits', () => {
  expect([0.1, 1, 100].map((scale) => bounded(scale, 1))).toEqual([0.25, 1, 8])
  expect(bounded(0.01, 0.05)).toBe(0.05)
})

test('zooms in by a wheel turned up, out by one turned down, and never far at once', () => {
  expect(wheelFactor(-10)).toBeGreaterThan(1)
  expect(wheelFactor(10)).toBeLessThan(1)
  expect(wheelFactor(10_000)).toBe(wheelFactor(50))
})

test('keeps what is under the pointer in place', () => {
  // 30 px into the window lies what is 130 px into the content, and 260 px into it at twice the scale.
  expect(offsetAfter(100, 30, 2)).toBe(230)
})
