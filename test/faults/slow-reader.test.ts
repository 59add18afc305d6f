import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { sampleSize } from '../support/sample-size.ts'
import { INSPECTED, inspect } from './kit/inspector.ts'
import { openStream } from './kit/raw-stream.ts'
import { startStage } from './kit/stage.ts'
import { answerOf, expectBody, expectReading } from './kit/visitor.ts'

const ASLEEP_S = sampleSize({ long: 60, short: 12 })
const READERS = 200
/** R11 */
const MAX_HELD_BYTES = 64 * 1024
/** Some 250,000 characters, while the readers are asleep. */
const MUCH = [{ text: Array<string>(2500).fill('much text '.repeat(10)), tokensPerSecond: 3000 / ASLEEP_S }]

describe.concurrent.each(DATABASES)('on %s', (database) => {
  test('F18: a reader that reads nothing affects no other, and then gets everything', async ({ expect }) => {
    const stage = await startStage({ database, env: INSPECTED })
    const { url } = stage.server
    try {
      stage.model.script(({ prompt }) => (prompt === 'much text' ? MUCH : undefined))
      const visitor = await stage.visitor()
      const reading = expectReading(await visitor.send('much text'))
      await reading.begun
      const asleep = await Promise.all(Array.from({ length: READERS }, () => openStream(url, visitor, reading.turn)))
      for (const socket of asleep) socket.pause()
      const inspector = await inspect(stage.server)
      const before = await inspector.holdings()
      const awake = expectReading(await visitor.follow(reading.turn))
      await pause(ASLEEP_S * 1000)
      const after = await inspector.holdings()
      inspector.close()
      expect(after.heapBytes - before.heapBytes).toBeLessThan(READERS * MAX_HELD_BYTES)
      expect(await Promise.all([reading.ended, awake.ended])).toEqual([true, true])
      const stored = answerOf(expectBody(await visitor.session(reading.session)), reading.turn)?.text ?? ''
      expect([reading.status, awake.status]).toEqual(['done', 'done'])
      expect([reading.text, awake.text]).toEqual([stored, stored])
      const again = () => openStream(url, visitor, reading.turn)
      for (const text of await Promise.all(asleep.map((socket) => readToEnd(socket, again)))) expect(text === stored).toBe(true)
    } finally {
      await stage.stop()
    }
  })
})

/**
 * The text of a stream, read to its end. A reader that is far behind when the answer ends gets it from its start again, and one whose
 * stream is cut, since the database or the reader was too slow, asks again.
 */
async function readToEnd(socket: Socket, again: () => Promise<Socket>): Promise<string> {
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  socket.resume()
  await once(socket, 'end')
  const [newest = ''] = Buffer.concat(pieces).toString('utf8').split('"type":"start"').slice(-1)
  if (!newest.includes('"type":"finish"')) return readToEnd(await again(), again)
  const deltas = newest.matchAll(/"type":"text-delta".*?"delta":"((?:[^"\\]|\\.)*)"/g)
  return Array.from(deltas, ([, delta]) => JSON.parse(`"${delta}"`) as string).join('')
}
