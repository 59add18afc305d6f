import { expect, test } from 'vitest'
import { consentCookie, readConsent } from './consent-cookie.ts'

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

test('keeps a decision for 180 days, and on https only over https', () => {
  expect(consentCookie(true, true)).toBe('privacy-consent=true; Max-Age=15552000; Path=/; SameSite=Lax; Secure')
  expect(consentCookie(false, false)).toBe('privacy-consent=false; Max-Age=15552000; Path=/; SameSite=Lax')
})
