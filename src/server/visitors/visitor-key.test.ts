import { expect, test } from 'vitest'
import { hashOfVisitorKey, newSub, newVisitorKey, ownerOfClientId, VISITOR_KEY_PATTERN } from './visitor-key.ts'

test('keys and ids have their documented forms', () => {
  expect(newVisitorKey()).toMatch(VISITOR_KEY_PATTERN)
  expect(newSub()).toMatch(/^v_[a-z2-7]{26}$/)
  expect(ownerOfClientId('id', 'key')).toMatch(/^c_[A-Za-z0-9_-]{43}$/)
})

test('a visitor key is stored as its SHA-256 in hexadecimal', () => {
  expect(hashOfVisitorKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
