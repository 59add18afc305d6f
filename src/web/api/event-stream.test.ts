import { expect, test, vi } from 'vitest'
import { eventStream } from '../../../test/support/page-globals.ts'
import { readEvents } from './event-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function responseOf(chunks: Uint8Array[], end: 'close' | 'error' | 'stay' = 'close'): Response {
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else if (end === 'close') controller.close()
      else if (end === 'error') controller.error(new TypeError('network error'))
    },
  })
  return new Response(stream)
}

async function eventsOf(response: Response, signal?: AbortSignal, silenceMs?: number) {
  const events: unknown[] = []
  for await (const { event: type, id, data } of readEvents(response, signal, silenceMs))
    events.push(type === undefined ? [id, data] : [id, data, type])
  return events
}

const STREAM = 'id: 1\ndata: {"a":"ü😀"}\n\n: heartbeat\n\nid: 2\r\nevent: pair\r\ndata: one\r\ndata: two\r\n\r\ndata: [DONE]\n\n'
const EVENTS = [
  ['1', '{"a":"ü😀"}'],
  ['2', 'one\ntwo', 'pair'],
  [undefined, '[DONE]'],
]

test('reads whole events wherever the bytes are split', async () => {
  const bytes = encode(STREAM)
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size))
    expect(await eventsOf(responseOf(chunks))).toEqual(EVENTS)
  }
})

test('ends without an error when the connection breaks, and drops an incomplete event', async () => {
  expect(await eventsOf(responseOf([encode('data: whole\n\ndata: half')], 'error'))).toEqual([[undefined, 'whole']])
})

test('ends without an error at an event that is too long, whatever comes after it', async () => {
  const piece = encode('x'.repeat(1024 * 1024))
  const chunks = [encode('data: one\n\ndata: '), ...Array.from({ length: 6 }, () => piece), encode('\n\ndata: two\n\n')]
  expect(await eventsOf(responseOf(chunks, 'stay'))).toEqual([[undefined, 'one']])
})

test('ends after a silence, and leaves no timer behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const stream = eventStream()
    const ended: unknown[] = []
    const events = eventsOf(stream.response, undefined, 1_000).then((all) => ended.push(...all))
    await vi.advanceTimersByTimeAsync(900)
    stream.send('one')
    await vi.advanceTimersByTimeAsync(900)
    expect([ended, vi.getTimerCount()]).toEqual([[], 1])
    await vi.advanceTimersByTimeAsync(100)
    await events
    expect(ended).toEqual([[undefined, 'one']])
    await eventsOf(responseOf([encode('data: one\n\n')]))
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('ends when the signal aborts during a silence', async () => {
  const leaving = new AbortController()
  const events = eventsOf(responseOf([encode('data: one\n\n')], 'stay'), leaving.signal)
  leaving.abort()
  expect(await events).toEqual([])
})
