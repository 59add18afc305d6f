import { expect, test } from 'vitest'
import { faultsOf } from './check-answer.ts'

test('a pattern that would take years to match is a fault', () => {
  const answer = { id: '', role: 'assistant' as const, parts: [{ type: 'text' as const, text: `${'a'.repeat(40)}b` }] }
  const reply = { state: 'answered_without_source' as const, code: null, answer, ms: 1 }
  expect(faultsOf({ prompt: 'a', matches: ['^(a+)+$', 'AAB$', '^b'] }, reply)).toEqual([
    '/^(a+)+$/ takes too long to match',
    'does not match /^b/',
  ])
})
