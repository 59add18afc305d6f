import { expect, test, vi } from 'vitest'
import { StorageOutage } from './storage-outage.ts'

test('logs an outage when it begins, at its intervals while it lasts, and when it ends', async () => {
  const lines: string[] = []
  let isAway = true
  const ping = async () => {
    if (isAway) throw new Error('away')
  }
  const log = { error: (_: object, line: string) => lines.push(line), info: (_: object, line: string) => lines.push(line) }
  const outage = new StorageOutage({ ping, log: log as never, checkIntervalMs: 1, reportIntervalMs: 0 })
  for (let count = 0; count < 100; count += 1) outage.failed(new Error('away'), {})
  expect(lines).toEqual(['The database cannot be used; requests get 503 until it can'])
  await vi.waitFor(() => expect(lines).toContain('The database still cannot be used'))
  isAway = false
  await vi.waitFor(() => expect(lines.at(-1)).toBe('The database can be used again'))
  outage.failed(new Error('away'), {})
  expect(lines.at(-1)).toBe('The database cannot be used; requests get 503 until it can')
  outage.close()
})
