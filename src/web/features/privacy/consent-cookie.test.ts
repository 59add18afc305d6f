import { expect, test } from 'vitest'
import { pageCookie, readConsent } from './consent-cookie.ts'

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

test('stores a decision for 180 days, and marks it secure on https', () => {
  const place = { isHttps: true, isEmbedded: false }
  expect(pageCookie('privacy-consent', 'true', 'long', place)).toBe('privacy-consent=true; Max-Age=15552000; Path=/; SameSite=Lax; Secure')
  expect(pageCookie('a', '', 'gone', { ...place, isHttps: false })).toBe('a=; Max-Age=0; Path=/; SameSite=Lax')
  expect(pageCookie('a', 'b', 'session', { ...place, isEmbedded: true })).toBe('a=b; Path=/; SameSite=None; Partitioned; Secure')
})
