import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventStream, type PageGlobals, stubPageGlobals } from '../../../test/support/page-globals.ts'
import type { EventSourceMessage } from 'eventsource-parser'
import { streams } from './stream-health.ts'
import { readStream } from './subscribe.ts'

let page: PageGlobals
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  page = stubPageGlobals()
  streams.reportComplete()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Subscribes to a stream that ends with the event `last`. */
function listening({ canLeave }: { canLeave?: () => boolean } = {}) {
  const stream = eventStream()
  const leaving = new AbortController()
  const heard: string[] = []
  const onEvent = ({ data }: EventSourceMessage) => {
    heard.push(data)
    return data === 'last'
  }
  const connect = async () => ({ ok: true as const, value: stream.response })
  const outcome = readStream({ connect, onEvent, ...(canLeave && { canLeave }) }, leaving.signal)
  return { stream, leaving, heard, outcome }
}

const pass = () => vi.advanceTimersByTimeAsync(0)

test('reads a stream to its last event, and releases it', async () => {
  const reportComplete = vi.spyOn(streams, 'reportComplete')
  const { stream, heard, outcome } = listening()
  stream.send('one')
  stream.send('last')
  stream.send('never read')
  expect([await outcome, heard]).toEqual([{ kind: 'ended' }, ['one', 'last']])
  await pass()
  expect([stream.isCancelled, reportComplete.mock.calls.length]).toEqual([true, 1])
})

test('releases a stream when the page is hidden, and not when it is shown', async () => {
  const { stream, outcome } = listening()
  await pass()
  page.show(true)
  await pass()
  expect(stream.isCancelled).toBe(false)
  page.show(false)
  expect(await outcome).toEqual({ kind: 'hidden' })
  await pass()
  expect(stream.isCancelled).toBe(true)
})

test('keeps a stream that can’t be resumed yet even if the page is hidden', async () => {
  let canLeave = false
  const { stream, heard, outcome } = listening({ canLeave: () => canLeave })
  await pass()
  page.show(false)
  stream.send('one')
  await pass()
  expect([heard, stream.isCancelled]).toEqual([['one'], false])
  canLeave = true
  stream.send('two')
  expect(await outcome).toEqual({ kind: 'hidden' })
  expect(heard).toEqual(['one', 'two'])
})

test('ends on abort', async () => {
  const { stream, leaving, outcome } = listening()
  await pass()
  leaving.abort()
  expect(await outcome).toEqual({ kind: 'left' })
  await pass()
  expect(stream.isCancelled).toBe(true)
})

test('ignores events of streams that it released', async () => {
  const reportCut = vi.spyOn(streams, 'reportCut')
  const { outcome } = listening()
  page.show(false)
  await outcome
  page.show(true)
  expect(reportCut).not.toHaveBeenCalled()
})

test('counts a stream as cut off if it ends early or brings nothing, and as healthy if it lasted', async () => {
  const [reportCut, reportComplete] = [vi.spyOn(streams, 'reportCut'), vi.spyOn(streams, 'reportComplete')]
  const breaking = async (afterMs: number, data?: string) => {
    const { stream, outcome } = listening()
    await vi.advanceTimersByTimeAsync(afterMs)
    if (data) stream.send(data)
    await pass()
    stream.end()
    expect(await outcome).toEqual({ kind: 'broken' })
    return [reportCut.mock.calls.length, reportComplete.mock.calls.length]
  }
  expect(await breaking(10_000, 'one')).toEqual([1, 0])
  expect(await breaking(10_001)).toEqual([2, 0])
  expect(await breaking(10_001, 'one')).toEqual([2, 1])
})

test('reports why a stream is rejected, and counts one without a reply as cut off', async () => {
  const reportCut = vi.spyOn(streams, 'reportCut')
  const refusedWith = (code: 'too_many_streams' | 'no_reply') =>
    readStream({ connect: async () => ({ ok: false, code, retryAfterS: 5 }), onEvent: () => false }, new AbortController().signal)
  expect(await refusedWith('too_many_streams')).toEqual({ kind: 'rejected', code: 'too_many_streams', retryAfterS: 5 })
  expect(reportCut).not.toHaveBeenCalled()
  expect(await refusedWith('no_reply')).toMatchObject({ kind: 'rejected', code: 'no_reply' })
  expect(reportCut).toHaveBeenCalledOnce()
})
