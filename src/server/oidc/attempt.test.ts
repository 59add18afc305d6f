import { expect, test } from 'vitest'
import { ATTEMPT_LIFE_S } from '../../contract/size-limits.ts'
import { type Attempt, AttemptSeal } from './attempt.ts'

const KEY = 'k'.repeat(43)
const START = Date.UTC(2026, 10, 21)
const attempt: Attempt = { state: 's', nonce: 'n', verifier: 'the verifier', redirectUri: 'https://chat.example.org/back' }

test('opens what it sealed, in every process of the installation, for ten minutes', async () => {
  let now = START
  const sealed = await new AttemptSeal([KEY], () => now).seal(attempt)
  const seal = new AttemptSeal([KEY], () => now)
  now = START + ATTEMPT_LIFE_S * 1000 - 1
  expect(await seal.open(sealed)).toEqual(attempt)
  now = START + ATTEMPT_LIFE_S * 1000
  expect(await seal.open(sealed)).toBeUndefined()
})

test('reveals nothing of it, and fits into a cookie', async () => {
  const long = { ...attempt, state: 's'.repeat(43), redirectUri: `https://${'a'.repeat(200)}.example/back` }
  const sealed = await new AttemptSeal([KEY], () => START).seal(long)
  const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  expect(parts.join()).not.toContain('verifier')
  expect(sealed).toMatch(/^[\w.-]{1,2000}$/)
})

test.each([
  ['another installation’s', (sealed: string) => [sealed, 'x'.repeat(43)]],
  ['one that was changed', (sealed: string) => [sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')), KEY]],
  ['anything else', () => ['no.token', KEY]],
])('does not open %s', async (_name, change) => {
  const [sealed = '', key = ''] = change(await new AttemptSeal([KEY], () => START).seal(attempt))
  expect(await new AttemptSeal([key], () => START).open(sealed)).toBeUndefined()
})
