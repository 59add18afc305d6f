import { expect, test, vi } from 'vitest'
import { StorageOutage } from './storage-outage.ts'

test('logs an outage at its start, at intervals, and at its end', async () => {
  const lines: string[] = []
  let isAway = true
  const ping = async () => {
    if (isAway) throw new Error('away')
  }
  const log = { error: (_: object, line: string) => lines.push(line), info: (_: object, line: string) => lines.push(line) }
  const outage = new StorageOutage({ ping, log: log as never, checkIntervalMs: 1, reportIntervalMs: 0 })
  for (let count = 0; count < 100; count += 1) outage.failed(new Error('away'), {})
  expect(lines).toEqual(['Database unavailable; requests get 503 until it recovers'])
  await vi.waitFor(() => expect(lines).toContain('Database still unavailable'))
  isAway = false
  await vi.waitFor(() => expect(lines.at(-1)).toBe('Database available again'))
  outage.failed(new Error('away'), {})
  expect(lines.at(-1)).toBe('Database unavailable; requests get 503 until it recovers')
  outage.close()
})
