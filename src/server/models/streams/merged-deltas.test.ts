import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mergedDeltas } from './merged-deltas.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const delta = (text: string, id = 'a'): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta: text })

/** A stream written by hand, and all parts of its merged form so far. */
function merged() {
  let source!: ReadableStreamDefaultController<LanguageModelV4StreamPart>
  let isCancelled = false
  const written = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => void (source = controller),
    cancel: () => void (isCancelled = true),
  })
  const parts = mergedDeltas(written, 50)
  const out: LanguageModelV4StreamPart[] = []
  const read = async (most = Number.POSITIVE_INFINITY) => {
    for await (const part of parts) if (out.push(part) >= most) return
  }
  /** Reads until the test is over. */
  const follow = () => void read().catch(() => undefined)
  const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { source, out, read, follow, after, isCancelled: () => isCancelled }
}

describe('merging deltas', () => {
  test('emits the first delta at once, and merges those within the interval', async () => {
    const { source, out, follow, after } = merged()
    follow()
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

  test('passes a delta at once after a silence', async () => {
    const { source, out, follow, after } = merged()
    follow()
    source.enqueue(delta('one'))
    await after(1_000)
    source.enqueue(delta('two'))
    await after(0)
    expect(out).toHaveLength(2)
  })

  test('keeps the order: other chunks and other ids flush what is held', async () => {
    const { source, out, follow, after } = merged()
    follow()
    const end: LanguageModelV4StreamPart = { type: 'text-end', id: 'a' }
    for (const chunk of [delta('1'), delta('2'), delta('3', 'b'), delta('4', 'b'), end]) source.enqueue(chunk)
    await after(0)
    expect(out).toEqual([delta('1'), delta('2'), delta('34', 'b'), end])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('emits what is held before it ends or fails', async () => {
    const ended = merged()
    const reading = ended.read()
    for (const text of ['1', '2']) ended.source.enqueue(delta(text))
    ended.source.close()
    await reading
    expect(ended.out).toEqual([delta('1'), delta('2')])

    const failed = merged()
    const failing = failed.read().then(null, String)
    for (const text of ['1', '2']) failed.source.enqueue(delta(text))
    await failed.after(0)
    failed.source.error(new Error('cut'))
    expect(await failing).toContain('cut')
    expect(failed.out).toEqual([delta('1'), delta('2')])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('cancels what it reads when its reader leaves', async () => {
    const { source, out, read, after, isCancelled } = merged()
    const reading = read(2)
    for (const text of ['1', '2', '3']) source.enqueue(delta(text))
    await after(50)
    await reading
    expect(out).toEqual([delta('1'), delta('23')])
    expect(isCancelled()).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('sends pieces twice as long while the process holds those of many streams', async () => {
    const others = Array.from({ length: 41 }, merged)
    for (const other of others) {
      other.follow()
      for (const text of ['1', '2']) other.source.enqueue(delta(text))
    }
    await vi.advanceTimersByTimeAsync(10)
    const { source, out, follow, after } = merged()
    follow()
    for (const text of ['1', '2']) source.enqueue(delta(text))
    await after(99)
    expect(out).toEqual([delta('1')])
    await after(1)
    expect(out).toEqual([delta('1'), delta('2')])
    source.enqueue(delta('3'))
    await after(50)
    expect(out.at(-1)).toEqual(delta('3'))
    expect(vi.getTimerCount()).toBe(0)
  })
})
