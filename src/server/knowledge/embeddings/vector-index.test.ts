import { expect, test } from 'vitest'
import { VectorIndex } from './vector-index.ts'

const DIMENSIONS = 128
const random = (seed: number) => Array.from({ length: DIMENSIONS }, (_, index) => Math.sin(seed * 999 + index * (seed + 1)))
const all = (count: number) => new Uint8Array(count).fill(1)

test.each([
  ['compared in full', Number.POSITIVE_INFINITY],
  ['found by their signs first', 0],
])('among vectors %s, finds the nearest', (_, maxComparedNumbers) => {
  const vectors = new VectorIndex(DIMENSIONS, undefined, maxComparedNumbers)
  for (let seed = 0; seed < 1_000; seed += 1) vectors.add(random(seed))
  const query = random(700).map((value, index) => value + 0.3 * Math.cos(index * 7))
  const [near] = vectors.nearest(query, 5, all(1_000))
  expect(near?.slot).toBe(700)
  expect(near?.similarity).toBeCloseTo(cosine(query, random(700)), 2)
  expect(vectors.nearest(query, 5, all(1_000).fill(0, 700, 701)).map(({ slot }) => slot)).not.toContain(700)
})

test('vectors are found by their own signs, whatever vector follows', () => {
  const vectors = new VectorIndex(DIMENSIONS, undefined, 0)
  const signs = (negative: (index: number) => boolean) => Array.from({ length: DIMENSIONS }, (_, index) => (negative(index) ? -1 : 1))
  for (let other = 0; other < 450; other += 1) vectors.add(signs((index) => index < 32))
  const near = vectors.add(signs((index) => index % 26 === 25))
  vectors.add(signs((index) => index >= 32))
  expect(
    vectors.nearest(
      signs(() => false),
      1,
      all(452),
    )[0]?.slot,
  ).toBe(near)
})

test('vectors are the same after a restart, and removed vectors make room for others', () => {
  const vectors = new VectorIndex(DIMENSIONS)
  for (let seed = 0; seed < 300; seed += 1) vectors.add(random(seed))
  const kept = new VectorIndex(DIMENSIONS, vectors.stored())
  expect(kept.nearest(random(42), 3, all(300))).toEqual(vectors.nearest(random(42), 3, all(300)))
  kept.remove(7)
  expect(kept.add(random(1_000))).toBe(7)
  expect(kept.nearest(random(1_000), 1, all(300))[0]?.slot).toBe(7)
})

function cosine(one: number[], other: number[]): number {
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}
