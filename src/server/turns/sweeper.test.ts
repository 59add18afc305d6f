import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Sweeper, startSweeper } from './sweeper.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

test('heartbeats go on while a sweep is slow or fails, one at a time', async () => {
  const sweeping = Promise.withResolvers<void>()
  const counts = { heartbeats: 0, sweeps: 0 }
  const faults: string[] = []
  const sweeper = {
    async sendHeartbeat() {
      counts.heartbeats += 1
      if (counts.heartbeats === 1) throw new Error('away')
    },
    async sweep() {
      counts.sweeps += 1
      if (counts.sweeps === 1) await sweeping.promise
    },
  } as unknown as Sweeper
  const stop = startSweeper(sweeper, (message) => faults.push(message))
  await vi.advanceTimersByTimeAsync(0)
  expect(faults.splice(0)).toEqual(['Sending the heartbeat failed; retrying'])
  for (let round = 0; round < 3; round += 1) await vi.advanceTimersByTimeAsync(5_000)
  expect(counts).toEqual({ heartbeats: 4, sweeps: 1 })
  sweeping.reject(new Error('away'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect([counts, faults]).toEqual([{ heartbeats: 5, sweeps: 2 }, ['Sweeping abandoned turns failed; retrying']])
  await stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(counts.heartbeats).toBe(5)
})
