import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BlockedNetworks } from '../../src/server/limits/blocked-networks.ts'
import { NetworkRejections } from '../../src/server/limits/network-rejections.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { blockNetwork, readNetworkBlocks, unblockNetwork } from '../../src/server/store/staff/network-blocks.ts'
import {
  addNetworkRejections,
  dayOfRejectedNetwork,
  listRejectedNetworks,
  trimNetworkRejections,
} from '../../src/server/store/staff/network-rejections.ts'
import { saltOfDay } from '../../src/server/store/turns/quotas.ts'
import { purge } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const HOUR_MS = 3_600_000
const DAY = 20_000
const NOON = (DAY * 24 + 12) * HOUR_MS
const ADDRESS = '203.0.113.7'
const LIST = { since: DAY - 1, min: 20, limit: 20 }

describe.each(BOTH_DATABASES)('blocked networks on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const record = async () => undefined
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause })
  }
  const inForce = async (now: number) => new BlockedNetworks(await readNetworkBlocks(database, now))

  test('stay blocked for their hours, although the key of an address changes daily and its salt is deleted', async () => {
    const rejections = new NetworkRejections({ database, now: () => NOON, onFault })
    for (let index = 0; index < 30; index += 1) rejections.count(ADDRESS, 'too_many_prompts')
    rejections.count('203.0.113.8', 'too_many_prompts')
    await rejections.close()
    const [listed, ...others] = await listRejectedNetworks(database, LIST)
    expect(listed).toMatchObject({ day: DAY, rejections: 30, reasons: [{ code: 'too_many_prompts', count: 30 }] })
    expect(others).toEqual([])
    const network = listed?.network ?? ''
    expect(network).toMatch(/^[0-9a-f]{32}$/)
    expect(await dayOfRejectedNetwork(database, network, DAY)).toBe(DAY)
    const block = { network, day: DAY, reason: 'scripts', blockedAt: NOON, blockedBy: 'ada', endsAt: NOON + 72 * HOUR_MS, max: 1 }
    expect(await blockNetwork(database, block, record)).toBe('done')
    expect(await blockNetwork(database, block, record)).toBe('blocked')
    expect(await blockNetwork(database, { ...block, network: 'b'.repeat(32) }, record)).toBe('full')
    for (const hours of [0, 13, 40, 71]) {
      const now = NOON + hours * HOUR_MS
      // As the first prompt of the day does.
      await saltOfDay(database, Math.floor(now / HOUR_MS / 24), 'proposed')
      const blocked = await inForce(now)
      expect([blocked.has(ADDRESS, now), blocked.has('203.0.113.8', now)], `${hours} hours`).toEqual([true, false])
    }
    expect(await database.selectFrom('address_salts').select('day').where('day', '=', DAY).execute()).toEqual([])
    // A process that doesn't know yet that the block has ended.
    expect((await inForce(NOON)).has(ADDRESS, block.endsAt)).toBe(false)
    await purge(database, HOUR_MS, block.endsAt)
    expect(await database.selectFrom('network_blocks').selectAll().execute()).toEqual([])
    expect(await database.selectFrom('network_refusals').selectAll().execute()).toEqual([])
  })

  test('can be unblocked once, and not be blocked without the salt of their day', async () => {
    await saltOfDay(database, DAY + 20, 'salt')
    const block = { network: 'c'.repeat(32), reason: '', blockedAt: NOON, blockedBy: 'ada', endsAt: NOON + HOUR_MS, max: 9 }
    expect(await blockNetwork(database, { ...block, day: DAY + 18 }, record)).toBe('unknown')
    expect(await blockNetwork(database, { ...block, day: DAY + 20 }, record)).toBe('done')
    expect(await unblockNetwork(database, block.network, record)).toBe(true)
    expect(await unblockNetwork(database, block.network, record)).toBe(false)
  })

  test('counts of more networks than are kept lose those with the fewest rejections', async () => {
    const day = DAY + 30
    const rows = [3, 9, 7, 1].map((count, index) => ({ day, network: `n${index}`, code: 'too_many_files', count }))
    await addNetworkRejections(database, rows)
    await addNetworkRejections(database, rows)
    await trimNetworkRejections(database, day, { max: 4, kept: 2 })
    expect(await listRejectedNetworks(database, { ...LIST, since: day, min: 1 })).toHaveLength(4)
    await trimNetworkRejections(database, day, { max: 3, kept: 2 })
    const left = await listRejectedNetworks(database, { ...LIST, since: day, min: 1 })
    expect(left.map(({ network, rejections }) => [network, rejections])).toEqual([
      ['n1', 18],
      ['n2', 14],
    ])
  })
})
