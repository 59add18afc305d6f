import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { Challenges } from './challenges.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

describe.each(DATABASES)('a challenge on %s', (kind) => {
  let opened: OpenedDatabase
  let now = 1_000
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())
  const process = (key = 'one') => new Challenges({ database: opened.database, keys: [key], now: () => now })

  test('works once, at any process, for whom it was made', async () => {
    const challenge = text(process().create('ada'))
    expect(await process().take(challenge, 'bob')).toBe(false)
    expect(await process('two').take(challenge, 'ada')).toBe(false)
    const tries = await Promise.all([process(), process(), process()].map((one) => one.take(challenge, 'ada')))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await process().take(challenge, 'ada')).toBe(false)
  })

  test('works for five minutes, and no other bytes do', async () => {
    const [first, second] = [text(process().create('')), text(process().create(''))]
    now += 5 * 60_000 - 1
    expect(await process().take(first, '')).toBe(true)
    now += 1
    expect(await process().take(second, '')).toBe(false)
    // Its own end can't be moved.
    const bytes = process().create('')
    bytes[16] = 255
    for (const other of [text(bytes), '', 'A'.repeat(43), 'A'.repeat(72), first]) expect(await process().take(other, '')).toBe(false)
    expect(await opened.database.selectFrom('used_challenges').selectAll().execute()).toHaveLength(2)
    expect(await process().take(text(process().create('')), '')).toBe(true)
    // Those that have expired are forgotten with the next.
    expect(await opened.database.selectFrom('used_challenges').selectAll().execute()).toHaveLength(1)
  })
})
