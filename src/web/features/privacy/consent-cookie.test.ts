import { expect, test } from 'vitest'
import { readConsent } from './consent-cookie.ts'

test.each([
  ['', null],
  ['privacy-consent=true', true],
  ['a=b; privacy-consent=true; c=d', true],
  ['privacy-consent=false', false],
  ['privacy-consent=yes', null],
  ['not-privacy-consent=true', null],
])('reads %j as %j', (cookies, decision) => {
  expect(readConsent(cookies)).toBe(decision)
})
