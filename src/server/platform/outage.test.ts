import { expect, test, vi } from 'vitest'
import { DATABASE_OUTAGE, Outage } from './outage.ts'

test('logs an outage at its start, at intervals, and at its end', async () => {
  const lines: [facts: object, line: string][] = []
  let isAway = true
  const check = async () => {
    if (isAway) throw new Error('away')
  }
  const write = (facts: object, line: string) => lines.push([facts, line])
  const log = { error: write, warn: write }
  const outage = new Outage({ messages: DATABASE_OUTAGE, check, log: log as never, checkIntervalMs: 1, reportIntervalMs: 0 })
  for (let count = 0; count < 100; count += 1) outage.failed(new Error('away'), { operation: count })
  expect(lines).toEqual([[{ err: new Error('away'), operation: 0 }, DATABASE_OUTAGE.begin]])
  expect(outage.isOver).toBe(false)
  await vi.waitFor(() => expect(lines.at(-1)).toEqual([{ failures: 100, lastedS: 0 }, DATABASE_OUTAGE.during]), { timeout: 120_000 })
  isAway = false
  await vi.waitFor(() => expect(lines.at(-1)?.[1]).toBe(DATABASE_OUTAGE.end), { timeout: 120_000 })
  expect(outage.isOver).toBe(true)
  outage.failed(new Error('away'), {})
  expect(lines.at(-1)?.[1]).toBe(DATABASE_OUTAGE.begin)
  outage.close()
})
