import { expect, test } from 'vitest'
import { recall, type Recalled } from './recalled-prompt.ts'

const PROMPTS = ['third', 'second', 'first']

function walk(...steps: (1 | -1)[]): string[] {
  let last: Recalled | null = null
  return steps.map((step) => {
    last = recall(PROMPTS, last?.text ?? '', last, step) ?? last
    return last?.text ?? ''
  })
}

test('recalls prompts one by one, stops at the first, and returns to the empty box', () => {
  expect(walk(1, 1, 1, 1, -1, -1, -1)).toEqual(['third', 'second', 'first', 'first', 'second', 'third', ''])
  expect(walk(-1, 1)).toEqual(['', 'third'])
})

test('does not replace typed or edited text', () => {
  expect(recall(PROMPTS, 'something new', null, 1)).toBe(null)
  expect(recall(PROMPTS, 'third, changed', { text: 'third', back: 1 }, 1)).toBe(null)
})

test('recalls a repeated prompt twice', () => {
  const once = recall(['a', 'a', 'b'], '', null, 1)
  const twice = recall(['a', 'a', 'b'], 'a', once, 1)
  expect(recall(['a', 'a', 'b'], 'a', twice, 1)).toEqual({ text: 'b', back: 3 })
})
