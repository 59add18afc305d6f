import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VersionFollower } from './version-follower.ts'

const INTERVAL_MS = 500
let stored: string | Error
let inForce: string[]
let faults: unknown[]
let follower: VersionFollower

beforeEach(() => {
  vi.useFakeTimers()
  stored = '1'
  inForce = []
  faults = []
  const version = async () => {
    if (stored instanceof Error) throw stored
    return stored
  }
  const refresh = async () => void inForce.push(await version())
  follower = new VersionFollower({ version, refresh, intervalMs: INTERVAL_MS, onFault: (cause) => faults.push(cause) })
})
afterEach(async () => {
  await follower.close()
  vi.useRealTimers()
})

test('refreshes at the start, and again only when the version has changed', async () => {
  await follower.start()
  await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS)
  expect(inForce).toEqual(['1'])
  stored = '2'
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(inForce).toEqual(['1', '2'])
})

test('a poll on request refreshes at once, and not again at the next one', async () => {
  await follower.start()
  stored = '2'
  await Promise.all([follower.poll(), follower.poll()])
  expect(inForce).toEqual(['1', '2'])
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(inForce).toEqual(['1', '2'])
})

test('reports an outage once, keeps what is in force, and catches up afterwards', async () => {
  await follower.start()
  const outage = new Error('The database is away')
  stored = outage
  await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS)
  expect(faults).toEqual([outage])
  stored = '2'
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(inForce).toEqual(['1', '2'])
  stored = outage
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  expect(faults).toEqual([outage, outage])
})

test('does not poll after it is closed', async () => {
  await follower.start()
  await follower.close()
  stored = '2'
  await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS)
  expect(inForce).toEqual(['1'])
})
