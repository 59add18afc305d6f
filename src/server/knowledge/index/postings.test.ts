import { expect, test } from 'vitest'
import { Postings } from './postings.ts'

const TERMS = 5_000
const PASSAGES = [5, 3, 9, 1, 12, 0, 7, 14, 2, 20, 11, 13, 4, 21, 8, 6, 15, 10, 22, 23, 19, 18, 17, 16]
const isAdded = (term: number, passage: number) => (term * 31 + passage * 17) % 4 !== 0
const isRemoved = (term: number, passage: number) => (term + passage) % 5 === 0
const isThere = (term: number, passage: number) => isAdded(term, passage) && !isRemoved(term, passage)
const weightOf = (term: number, passage: number) => (term + 3 * passage) % 60_000

test('holds what was added and not removed, however much and in whatever order', () => {
  const postings = new Postings()
  for (const passage of PASSAGES)
    for (let term = 0; term < TERMS; term += 1) if (isAdded(term, passage)) postings.add(term, passage, weightOf(term, passage))
  for (const passage of PASSAGES) for (let term = 0; term < TERMS; term += 1) if (isRemoved(term, passage)) postings.remove(term, passage)
  const sorted = PASSAGES.toSorted((one, other) => one - other)
  const expected: number[][] = []
  for (let term = 0; term < TERMS; term += 1) {
    const there = sorted.filter((passage) => isThere(term, passage))
    expected.push(there)
    const { passages, start, end } = postings.listOf(term)
    expect([...passages.subarray(start, end)]).toEqual(there)
    expect(sorted.map((passage) => postings.weightOf(term, passage))).toEqual(
      sorted.map((passage) => (isThere(term, passage) ? weightOf(term, passage) : undefined)),
    )
  }
  const packed = postings.packed(
    TERMS,
    Uint32Array.from({ length: 24 }, (_, passage) => 2 * passage),
  )
  expect([...packed.passages()].flatMap((piece) => [...piece])).toEqual(expected.flat().map((passage) => 2 * passage))
  expect([...packed.weights()].flatMap((piece) => [...piece])).toEqual(
    expected.flatMap((there, term) => there.map((passage) => weightOf(term, passage))),
  )
})
