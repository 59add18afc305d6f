import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendEvents } from './event-stream.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const TWO_MINUTES_MS = 120_000

/** A connection whose buffer is full until the reader reads. */
class FullConnection extends EventEmitter {
  readonly written: string[] = []
  isDestroyed = false
  writableEnded = false
  writableNeedDrain = true
  socket = null

  writeHead() {}
  flushHeaders() {}
  write(frames: string) {
    this.written.push(frames)
    return false
  }
  end() {
    this.writableEnded = true
  }
  destroy() {
    this.isDestroyed = true
    this.emit('close')
  }
}

function sendTo(connection: FullConnection, frames: string[]) {
  const reply = { raw: connection, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply
  return sendEvents(reply, async function* all() {
    yield* frames
  })
}

test('disconnects a reader that takes nothing for two minutes', async () => {
  const connection = new FullConnection()
  const sent = sendTo(connection, ['one', 'two'])
  await vi.advanceTimersByTimeAsync(TWO_MINUTES_MS - 1)
  expect(connection.isDestroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(connection.isDestroyed).toBe(true)
  await sent
  expect(connection.written).toEqual(['one'])
})

test('gives a slow reader two minutes for each batch', async () => {
  const connection = new FullConnection()
  const sent = sendTo(connection, ['one', 'two'])
  for (const written of [['one'], ['one', 'two']]) {
    await vi.advanceTimersByTimeAsync(TWO_MINUTES_MS - 1)
    expect(connection.written).toEqual(written)
    connection.emit('drain')
  }
  await sent
  await vi.advanceTimersByTimeAsync(TWO_MINUTES_MS)
  expect([connection.writableEnded, connection.isDestroyed]).toEqual([true, false])
})
