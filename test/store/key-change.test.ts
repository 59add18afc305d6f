import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ProofOfWork } from '../../src/server/limits/proof-of-work.ts'
import { Quotas } from '../../src/server/limits/quotas.ts'
import type { InstallationKeys } from '../../src/server/keys.ts'
import { AttemptSeal } from '../../src/server/oidc/attempt.ts'
import { Challenges } from '../../src/server/staff/challenges.ts'
import { readModelConnection, sealModelConnection, writeModelConnection } from '../../src/server/staff/model-connection.ts'
import { Approvals } from '../../src/server/turns/approvals.ts'
import { Cursors } from '../../src/server/visitor-api/requests/cursors.ts'
import { readRing, sealRing } from '../../src/server/visitors/key-ring.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { proofOf } from '../support/proof-of-work.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'

const now = () => Date.UTC(2026, 10, 29)
const FORMER: InstallationKeys = ['the former key']
const CHANGED: InstallationKeys = ['the current key', 'the former key']
const ONLY_NEW: InstallationKeys = ['the current key']

describe.each(BOTH_DATABASES)('after a change of the installation key, on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  test('a connected model stays, sealed with the new key alone', async () => {
    const connection = { provider: 'openai', model: 'm', key: 'a key' } as const
    await writeModelConnection(opened.database, FORMER[0], connection, async () => undefined)
    const read = async (keys: InstallationKeys) => (await readModelConnection(opened.database, keys))?.connection
    expect(await read(CHANGED)).toEqual(connection)
    expect(await read(ONLY_NEW)).toBeNull()
    await sealModelConnection(opened.database, CHANGED)
    expect(await read(ONLY_NEW)).toEqual(connection)
    expect(await read(FORMER)).toBeNull()
  })

  test('former keys stay in their order, under the newest key alone', async () => {
    expect(await readRing(opened.database, 'one', null)).toEqual({ keys: ['one'], isToSeal: false })
    for (const [key, previous, keys] of [
      ['two', 'one', ['two', 'one']],
      ['three', 'two', ['three', 'two', 'one']],
      // Back to a former key.
      ['two', 'three', ['two', 'three', 'one']],
    ] as const) {
      const ring = await readRing(opened.database, key, previous)
      expect(ring).toEqual({ keys, isToSeal: true })
      await sealRing(opened.database, ring.keys)
      expect(await readRing(opened.database, key, previous)).toEqual({ keys, isToSeal: false })
    }
    await expect(readRing(opened.database, 'three', 'one')).rejects.toThrow('set INSTALLATION_KEY_PREVIOUS to the key')
  })

  test('a staff challenge and a proof of work that were being solved are accepted', async () => {
    const { database } = opened
    const challenge = Buffer.from(new Challenges({ database, keys: FORMER, now }).create('ada')).toString('base64url')
    expect(await new Challenges({ database, keys: ONLY_NEW, now }).take(challenge, 'ada')).toBe(false)
    expect(await new Challenges({ database, keys: CHANGED, now }).take(challenge, 'ada')).toBe(true)
    const quotas = new Quotas({ database, now, onFault: () => undefined })
    const proof = await proofOf(await new ProofOfWork({ keys: FORMER, quotas, now }).challenge('here'))
    expect(await new ProofOfWork({ keys: ONLY_NEW, quotas, now }).accept(proof, 'here')).toBeUndefined()
    expect(await new ProofOfWork({ keys: CHANGED, quotas, now }).accept(proof, 'here')).toBeTypeOf('function')
  })
})

test('places in lists, sign-in attempts and approvals from before a change of the key are accepted, and new ones use the new key', async () => {
  const read = (keys: InstallationKeys, by: InstallationKeys) =>
    new Cursors(by).read(['chats'], new Cursors(keys).write(['chats'], 7), z.number())
  expect([read(FORMER, CHANGED), read(CHANGED, ONLY_NEW), read(FORMER, ONLY_NEW), read(CHANGED, FORMER)]).toEqual([7, 7, null, null])

  const attempt = { state: 's', nonce: 'n', verifier: 'v', redirectUri: 'https://chat.example.org/back' }
  const open = async (keys: InstallationKeys, by: InstallationKeys) =>
    new AttemptSeal(by, now).open(await new AttemptSeal(keys, now).seal(attempt))
  expect(await open(FORMER, CHANGED)).toEqual(attempt)
  expect(await open(CHANGED, ONLY_NEW)).toEqual(attempt)
  expect(await open(FORMER, ONLY_NEW)).toBeUndefined()

  const call = { toolCallId: 'c', toolName: 'pay', input: { amount: 5 } }
  const decide = (keys: InstallationKeys, by: InstallationKeys) => {
    const { id, expiresAt, signature } = new Approvals(keys, now).request('t_1', call)
    const part = { type: 'dynamic-tool', ...call, state: 'approval-requested', approval: { id, descriptor: { expiresAt }, signature } }
    const answer = { id: 'a', role: 'assistant' as const, parts: [part] as never }
    return new Approvals(by, now).decide('t_1', answer, [{ id, approved: true, signature: signature ?? '' }])
  }
  expect(decide(FORMER, CHANGED)).not.toBeNull()
  expect(decide(CHANGED, ONLY_NEW)).not.toBeNull()
  expect(decide(FORMER, ONLY_NEW)).toBeNull()
})
