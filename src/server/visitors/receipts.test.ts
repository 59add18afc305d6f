import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Receipt } from '../../contract/rights.ts'
import { createReceiptSigner } from './receipts.ts'

const RECEIPT: Receipt = {
  version: 1,
  id: 'r',
  installation: 'Test',
  issuedAt: '2026-11-21T00:00:00.000Z',
  scope: 'everything',
  subject: null,
  deleted: { chats: 1 },
  stoppedAnswers: 0,
  readBack: { remaining: 0, at: '2026-11-21T00:00:00.000Z' },
  files: 'overwritten',
  outOfReach: [],
}

test('creates signatures that Node’s crypto verifies without our library', async () => {
  const signer = createReceiptSigner(['k'.repeat(32)])
  const { keys } = await signer.publicKeys()
  const [header = '', payload = '', signature = ''] = (await signer.sign(RECEIPT)).split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'EdDSA', kid: keys[0]?.kid })
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(RECEIPT)
  const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' })
  expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('derives the same key from the same installation key, and publishes nothing secret', async () => {
  const [first, second, other] = await Promise.all(['a', 'a', 'b'].map((letter) => createReceiptSigner([letter.repeat(32)]).publicKeys()))
  expect(second).toEqual(first)
  expect(other).not.toEqual(first)
  expect(Object.keys(first?.keys[0] ?? {})).not.toContain('d')
})
