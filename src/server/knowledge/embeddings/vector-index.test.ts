import { expect, test } from 'vitest'
import { VectorIndex } from './vector-index.ts'

const DIMENSIONS = 128
/** Numbers from -1 to 1 without a pattern, by xorshift. */
function random(seed: number): number[] {
  let bits = Math.imul(seed + 1, 2_654_435_761)
  return Array.from({ length: DIMENSIONS }, () => {
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
    return bits / 2 ** 31
  })
}
const all = (count: number) => new Uint8Array(count).fill(1)

/** More than are compared in full, where signs decide. */
const MANY = 3_000

test.each([
  ['compared in full', Number.POSITIVE_INFINITY, 0],
  ['found by their signs first', 0, 0],
  ['found by their signs first, which have much in common', 0, 6],
])('among vectors %s, finds the nearest', (_, maxComparedNumbers, common) => {
  const vectors = new VectorIndex(DIMENSIONS, undefined, maxComparedNumbers)
  const vectorOf = (seed: number) => random(seed).map((value, index) => value + common * Math.cos(index))
  for (let seed = 0; seed < MANY; seed += 1) vectors.add(vectorOf(seed))
  const seeds = Array.from({ length: 50 }, (__, index) => index * 60)
  const found = seeds.map((seed) => {
    const query = vectorOf(seed).map((value, index) => value + 1.2 * (random(MANY + seed)[index] ?? 0))
    const [near] = vectors.nearest(query, 5, all(MANY))
    expect(near?.similarity).toBeCloseTo(cosine(query, vectorOf(near?.slot ?? 0)), 2)
    expect(vectors.nearest(query, 5, all(MANY).fill(0, seed, seed + 1)).map(({ slot }) => slot)).not.toContain(seed)
    return near?.slot
  })
  expect(found).toEqual(seeds)
})

test('vectors are found by their own signs, whatever vector follows', () => {
  const vectors = new VectorIndex(DIMENSIONS, undefined, 0)
  const signs = (negative: (index: number) => boolean) => Array.from({ length: DIMENSIONS }, (_, index) => (negative(index) ? -1 : 1))
  for (let other = 0; other < MANY; other += 1) vectors.add(signs((index) => index < 32))
  const near = vectors.add(signs((index) => index % 26 === 25))
  vectors.add(signs((index) => index >= 32))
  expect(
    vectors.nearest(
      signs(() => false),
      1,
      all(MANY + 2),
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
