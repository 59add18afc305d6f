import { expect, test } from 'vitest'
import { pageCookie } from './page-cookie.ts'

test('lasts as long as it says, and is marked secure on https', () => {
  const place = { isHttps: true, isEmbedded: false }
  expect(pageCookie('privacy-consent', 'true', 180, place)).toBe('privacy-consent=true; Max-Age=180; Path=/; SameSite=Lax; Secure')
  expect(pageCookie('a', '', 'gone', { ...place, isHttps: false })).toBe('a=; Max-Age=0; Path=/; SameSite=Lax')
  expect(pageCookie('a', 'b', 'session', { ...place, isEmbedded: true })).toBe('a=b; Path=/; SameSite=None; Partitioned; Secure')
})
