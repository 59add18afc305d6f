import { expect, test } from 'vitest'
import { hashOfSubject, hashOfTransferCode, newTransferCode } from './transfer-code.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('generates a different code of six words each time', async () => {
  const codes = await Promise.all(Array.from({ length: 100 }, newTransferCode))
  expect(new Set(codes).size).toBe(100)
  for (const code of codes) expect(code).toMatch(/^[a-z]{3,8}(-[a-z]{3,8}){5}$/)
})

test('recognizes a code however it is typed, and no other', () => {
  const hash = hashOfTransferCode('able-baker-cable-dance-early-fable', 'key')
  expect(hashOfTransferCode('  Able BAKER, cable\ndance-early  fable.', 'key')).toBe(hash)
  expect(hashOfTransferCode('able-baker-cable-dance-early', 'key')).not.toBe(hash)
  expect(hashOfTransferCode('able-baker-cable-dance-early-fable', 'another key')).not.toBe(hash)
})

test('identifies a network for a day', () => {
  const hash = hashOfSubject('192.0.2.1', 'key', 0)
  expect(hashOfSubject('192.0.2.1', 'key', DAY_MS - 1)).toBe(hash)
  expect(hashOfSubject('192.0.2.1', 'key', DAY_MS)).not.toBe(hash)
})
