import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mergedStream } from './merge-deltas.ts'
import { MergePace } from './merge-pace.ts'

const PACE = { intervalMs: 50 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const delta = (text: string, id = 'a'): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta: text })

/** A stream written by hand, and all parts of its merged form so far. */
function merged() {
  let source!: ReadableStreamDefaultController<LanguageModelV4StreamPart>
  let cancelled: unknown
  const stream = mergedStream(
    new ReadableStream({
      start: (controller) => {
        source = controller
      },
      cancel: (reason) => {
        cancelled = reason
      },
    }),
    PACE,
  )
  const out: LanguageModelV4StreamPart[] = []
  const reader = stream.getReader()
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) out.push(next.value)
  })()
  const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { source, out, reader, reading, after, cancelledWith: () => cancelled }
}

describe('merging deltas', () => {
  test('emits the first delta at once, and merges those within the interval', async () => {
    const { source, out, after } = merged()
    source.enqueue(delta('one'))
    await after(0)
    expect(out).toEqual([delta('one')])
    source.enqueue(delta(' two'))
    await after(20)
    source.enqueue(delta(' three'))
    await after(29)
    expect(out).toHaveLength(1)
    await after(1)
    expect(out).toEqual([delta('one'), delta(' two three')])
  })

  test('emits a delta at once after a silence', async () => {
    const { source, out, after } = merged()
    source.enqueue(delta('one'))
    await after(1_000)
    source.enqueue(delta('two'))
    await after(0)
    expect(out).toHaveLength(2)
  })

  test('keeps the order: other parts and other ids flush the buffer', async () => {
    const { source, out, after } = merged()
    const end: LanguageModelV4StreamPart = { type: 'text-end', id: 'a' }
    for (const part of [delta('1'), delta('2'), delta('3', 'b'), delta('4', 'b'), end]) source.enqueue(part)
    await after(0)
    expect(out).toEqual([delta('1'), delta('2'), delta('34', 'b'), end])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('flushes the buffer before it ends or fails', async () => {
    const ended = merged()
    ended.source.enqueue(delta('1'))
    ended.source.enqueue(delta('2'))
    ended.source.close()
    await ended.reading
    expect(ended.out).toEqual([delta('1'), delta('2')])

    const failed = merged()
    failed.source.enqueue(delta('1'))
    failed.source.enqueue(delta('2'))
    await failed.after(0)
    failed.source.error(new Error('cut'))
    await expect(failed.reading).rejects.toThrow('cut')
    expect(failed.out[0]).toEqual(delta('1'))
    expect(vi.getTimerCount()).toBe(0)
  })

  test('cancels its source and timer when it is cancelled', async () => {
    const { source, reader, after, cancelledWith } = merged()
    source.enqueue(delta('1'))
    source.enqueue(delta('2'))
    await after(0)
    await reader.cancel('stopped')
    expect(cancelledWith()).toBe('stopped')
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('the pace slows with many streams, within its bound, and recovers', () => {
  const pace = new MergePace({ mergeDeltasMs: 50, mergeDeltasMaxMs: 200 })
  expect(pace.intervalMs).toBe(50)
  const leave = Array.from({ length: 50 }, () => pace.enter())
  expect(pace.intervalMs).toBe(100)
  leave.push(...Array.from({ length: 500 }, () => pace.enter()))
  expect(pace.intervalMs).toBe(200)
  for (const one of [...leave, ...leave]) one()
  expect(pace.intervalMs).toBe(50)
})
