import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NOW } from '../../../test/support/guard.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { AddressKeys } from './address-keys.ts'
import { NetworkRejections } from './network-rejections.ts'

const DAY_MS = 86_400_000
const MAX_PENDING = 5_000
const MAX_WRITTEN = 500

let opened: OpenedDatabase
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
})
afterEach(() => opened.remove())

function rejectionsAt(now = () => NOW) {
  const faults: string[] = []
  const rejections = new NetworkRejections({ database: opened.database, now, onFault: (message) => faults.push(message) })
  return { rejections, faults }
}

/** What is stored of a network, by code. */
async function storedOf(address: string, at = NOW): Promise<Record<string, number>> {
  const network = await new AddressKeys(opened.database).keyOf(address, at)
  const rows = await opened.database.selectFrom('network_refusals').select(['code', 'count']).where('network', '=', network).execute()
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]))
}

const addressOf = (index: number) => `10.0.${Math.floor(index / 256)}.${index % 256}`

test('rejections are counted by network and code, and added to what is stored', async () => {
  const { rejections } = rejectionsAt()
  for (const code of ['too_many_prompts', 'too_many_prompts', 'too_many_files'] as const) rejections.count('192.0.2.1', code)
  rejections.count('192.0.2.2', 'too_many_prompts')
  await rejections.write()
  rejections.count('192.0.2.1', 'too_many_prompts')
  await rejections.close()
  expect(await storedOf('192.0.2.1')).toEqual({ too_many_prompts: 3, too_many_files: 1 })
  expect(await storedOf('192.0.2.2')).toEqual({ too_many_prompts: 1 })
})

test('rejections are of the day on which they were counted', async () => {
  let now = NOW + DAY_MS - 1
  const { rejections } = rejectionsAt(() => now)
  rejections.count('192.0.2.1', 'too_many_prompts')
  now += 1
  rejections.count('192.0.2.1', 'too_many_prompts')
  await rejections.write()
  rejections.count('192.0.2.1', 'too_many_prompts')
  await rejections.close()
  const days = await opened.database.selectFrom('network_refusals').select(['day', 'count']).orderBy('day').execute()
  expect(days).toEqual([
    { day: NOW / DAY_MS, count: 2 },
    { day: NOW / DAY_MS + 1, count: 1 },
  ])
  expect(await storedOf('192.0.2.1', now)).toEqual({ too_many_prompts: 1 })
})

test('of a flood of networks those with the most rejections are stored, and no more are counted than fit', async () => {
  const { rejections } = rejectionsAt()
  for (let index = 0; index < MAX_PENDING; index += 1) rejections.count(addressOf(index), 'too_many_prompts')
  for (let more = 0; more < 3; more += 1) {
    rejections.count(addressOf(MAX_PENDING), 'too_many_prompts')
    rejections.count(addressOf(MAX_PENDING - 1), 'too_many_files')
  }
  await rejections.close()
  const { networks } = await opened.database
    .selectFrom('network_refusals')
    .select(({ fn }) => fn.count<number>('network').distinct().as('networks'))
    .executeTakeFirstOrThrow()
  expect(networks).toBe(MAX_WRITTEN)
  expect(await storedOf(addressOf(MAX_PENDING - 1))).toEqual({ too_many_prompts: 1, too_many_files: 3 })
  expect(await storedOf(addressOf(MAX_PENDING))).toEqual({})
})

test('rejections that can’t be stored are lost, logged and hold up nothing', async () => {
  const { rejections, faults } = rejectionsAt()
  await opened.database.schema.alterTable('network_refusals').renameTo('elsewhere').execute()
  rejections.count('192.0.2.1', 'too_many_prompts')
  await rejections.write()
  expect(faults).toHaveLength(1)
  await opened.database.schema.alterTable('elsewhere').renameTo('network_refusals').execute()
  rejections.count('192.0.2.2', 'too_many_prompts')
  await rejections.close()
  expect([await storedOf('192.0.2.1'), await storedOf('192.0.2.2')]).toEqual([{}, { too_many_prompts: 1 }])
})

test('rejections are stored every five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { rejections } = rejectionsAt()
    rejections.count('192.0.2.1', 'too_many_prompts')
    vi.advanceTimersByTime(5_000)
    await vi.waitFor(async () => expect(await storedOf('192.0.2.1')).toEqual({ too_many_prompts: 1 }), { timeout: 120_000 })
    await rejections.close()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
