import { expect, test } from 'vitest'
import { MAX_ROWS, MIN_ROWS, runBatches } from './run-batches.ts'

const PACE = { batchMs: 5, pauseFactor: 4 }

/** Runs `batches` batches on a clock of their own, and returns their rows and the pauses after them. */
async function record(batches: number, timeOf: (rows: number, index: number) => number) {
  let now = 0
  const rows: number[] = []
  const pauses: number[] = []
  await runBatches(
    async (limit) => {
      if (rows.length === batches) return 0
      rows.push(limit)
      now += timeOf(limit, rows.length)
      return limit
    },
    { ...PACE, monotonic: () => now, wait: async (ms) => pauses.push(ms) },
  )
  return { rows, pauses }
}

test('batches grow while they are quick, and shrink when they are slow, within their bounds', async () => {
  const quick = await record(20, () => 0.1)
  expect(quick.rows).toEqual([...quick.rows].sort((a, b) => a - b))
  expect(quick.rows.at(-1)).toBe(MAX_ROWS)
  const slow = await record(20, () => 400)
  expect(slow.rows.at(-1)).toBe(MIN_ROWS)
})

test('the size settles where a batch takes a few milliseconds, and follows when rows get slower', async () => {
  const { rows } = await record(60, (limit, index) => limit * (index < 30 ? 0.05 : 0.2))
  expect(rows.slice(20, 29).every((count) => count === 100)).toBe(true)
  expect(rows.slice(50).every((count) => count === 25)).toBe(true)
})

test('others have the database for at least four times as long as the batches', async () => {
  const times = (_: number, index: number) => (index % 7) + 1
  const { pauses } = await record(70, times)
  const busy = pauses.map((_, index) => times(0, index + 1))
  pauses.forEach((ms, index) => expect(ms).toBeGreaterThanOrEqual(4 * busy[index]!))
})

test('ends when nothing is left or it is aborted, and returns what was handled', async () => {
  const left = [5, 3, 0, 9]
  expect(await runBatches(async () => left.shift()!, { ...PACE, wait: async () => undefined })).toBe(8)
  expect(left).toEqual([9])
  const stopping = new AbortController()
  const abort = async () => {
    stopping.abort()
    return 4
  }
  expect(await runBatches(abort, { ...PACE, signal: stopping.signal, wait: async () => undefined })).toBe(4)
})
