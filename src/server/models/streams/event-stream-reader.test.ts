import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { EventStreamReader } from './event-stream-reader.ts'
import { DEFAULT_LIMITS, type ModelLimits } from '../model-limits.ts'

interface Read {
  events: [name: string | undefined, data: string][]
  end: 'done' | 'closed' | { code: string }
}

interface ReadOptions {
  limits?: Partial<ModelLimits>
  /** State of the connection after the last chunk. */
  connection?: 'end' | 'stay open' | 'cut'
}

/** Calls of a listener for a stream in these chunks. */
function read(chunks: (string | Buffer)[], { limits = {}, connection = 'end' }: ReadOptions = {}): Promise<Read> {
  const stream = new PassThrough()
  const response = Object.assign(stream, { headers: {}, complete: connection === 'end' }) as unknown as IncomingMessage
  const reader = new EventStreamReader(response, {
    limits: { ...DEFAULT_LIMITS, ...limits },
    sentAt: performance.now(),
    signal: undefined,
  })
  const events: Read['events'] = []
  return new Promise((resolve, reject) => {
    reader.read({
      event: ({ event, data }) => events.push([event, data]),
      isFull: () => false,
      end: (isDone) => resolve({ events, end: isDone ? 'done' : 'closed' }),
      fail: ({ code }) => resolve({ events, end: { code } }),
      abort: reject,
    })
    for (const chunk of chunks) stream.write(chunk)
    if (connection === 'end') stream.end()
    if (connection === 'cut') setImmediate(() => stream.destroy())
  })
}

const bytesOf = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]))

test.each([
  ['LF', 'event: a\ndata: grüße \u{1F600}\n\n: comment\n\ndata: 1\ndata: 2\n\n'],
  ['CRLF', 'event: a\r\ndata: grüße \u{1F600}\r\n\r\n: comment\r\n\r\ndata: 1\r\ndata: 2\r\n\r\n'],
  ['CR', 'event: a\rdata: grüße \u{1F600}\r\r: comment\r\rdata: 1\rdata: 2\r\r'],
  ['a byte order mark', '\uFEFFevent: a\ndata: grüße \u{1F600}\n\ndata: 1\ndata: 2\n\n'],
  ['no empty line at the end', 'event: a\ndata: grüße \u{1F600}\n\ndata: 1\ndata: 2'],
])('reads the same events however the bytes are split, with %s', async (_, text) => {
  const expected = {
    events: [
      ['a', 'grüße \u{1F600}'],
      [undefined, '1\n2'],
    ],
    end: 'closed',
  }
  const bytes = Buffer.from(text)
  expect(await read([bytes])).toEqual(expected)
  expect(await read(bytesOf(text))).toEqual(expected)
  for (let cut = 1; cut < bytes.length; cut += 1) expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
})

test.each([
  'data: x\n\ndata: [DONE]\n\n',
  'data: x\n\ndata:[DONE] \n\n',
  'data: x\n\ndata: [DONE]\n',
  'data: x\n\ndata: [DONE]',
  'data: x\r\n\r\ndata: [DONE]\r\n',
])('ends at [DONE] though the connection stays open: %j', async (text) => {
  const expected = { events: [[undefined, 'x']], end: 'done' }
  expect(await read([text], { connection: 'stay open' })).toEqual(expected)
  expect(await read(bytesOf(text), { connection: 'stay open' })).toEqual(expected)
})

test.each(['message_stop', 'response.completed', 'response.incomplete', 'response.failed'])('ends after the event %s', async (name) => {
  const text = `event: ${name}\ndata: {}\n\n`
  expect(await read([text, 'data: late\n\n'], { connection: 'stay open' })).toEqual({ events: [[name, '{}']], end: 'done' })
})

test('does not treat [DONE] inside an event as the end', async () => {
  const text = 'data: {"text":"data: [DONE]'
  expect(await read([text, '"}\n\n'])).toEqual({ events: [[undefined, '{"text":"data: [DONE]"}']], end: 'closed' })
})

test.each<[string, string[]]>([
  ['a line in one piece', [`data: ${'x'.repeat(101)}\n\n`]],
  ['a line in pieces', [`data: ${'x'.repeat(60)}`, 'x'.repeat(60)]],
  ['an event of many lines', Array.from({ length: 12 }, () => `data: ${'x'.repeat(10)}\n`)],
  ['a JSON reply', [`{"x":"${'x'.repeat(60)}`, 'x'.repeat(60)]],
])('fails when %s is too long', async (_, chunks) => {
  const limits = { maxLineBytes: 100 }
  const { end, events } = await read(['data: x\n\n', ...chunks].slice(chunks[0]?.startsWith('{') ? 1 : 0), {
    limits,
    connection: 'stay open',
  })
  expect(end).toEqual({ code: 'model_failed' })
  expect(events.length).toBeLessThan(2)
})

test('fails for a stream that is too long', async () => {
  const chunks = Array.from({ length: 20 }, () => 'data: 0123456789\n\n')
  expect(await read(chunks, { limits: { maxStreamBytes: 100 }, connection: 'stay open' })).toMatchObject({
    end: { code: 'answer_too_long' },
  })
})

test.each<[string, Buffer]>([
  ['invalid', Buffer.from([0x61, 0xff, 0x0a])],
  ['incomplete', Buffer.from([0xf0, 0x9f])],
])('fails on %s UTF-8, after the preceding events', async (_, bytes) => {
  const chunk = Buffer.concat([Buffer.from('data: x\n\ndata: '), bytes])
  expect(await read([chunk])).toEqual({ events: [[undefined, 'x']], end: { code: 'model_failed' } })
})

test('fails when the connection is cut, after an event that lacks only its empty line', async () => {
  expect(await read(['data: x\n'], { connection: 'cut' })).toEqual({ events: [[undefined, 'x']], end: { code: 'model_interrupted' } })
  expect(await read(['data: x\n\ndata: {"ha'], { connection: 'cut' })).toEqual({
    events: [[undefined, 'x']],
    end: { code: 'model_interrupted' },
  })
})

test('fails when only comments and empty lines arrive in time', async () => {
  const limits = { firstDataTimeoutMs: 50, idleTimeoutMs: 600_000, mergeDeltasMs: 1 }
  expect(await read(['\n\n', ': hi\n\n'], { limits, connection: 'stay open' })).toEqual({ events: [], end: { code: 'model_timeout' } })
})

test('reads a JSON reply as the only event of its stream', async () => {
  const reply = JSON.stringify(
    { choices: [{ message: { content: 'Hi', tool_calls: [{ id: 'a' }, { id: 'b' }] }, finish_reason: 'stop' }] },
    null,
    2,
  )
  const expected = { events: [[undefined, reply]], end: 'done' }
  expect(await read([`\n${reply}`])).toEqual(expected)
  expect(await read(bytesOf(reply))).toEqual(expected)
  expect(await read(['{"detail": "no"}'])).toEqual({ events: [[undefined, '{"detail": "no"}']], end: 'done' })
})
