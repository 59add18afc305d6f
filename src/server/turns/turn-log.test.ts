import { expect, test } from 'vitest'
import type { ChatChunk } from '../../contract/message.ts'
import { TurnLog } from './turn-log.ts'

const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: '1', delta: text })
const never = new AbortController().signal

async function read(log: TurnLog, after = 0, signal = never): Promise<number[]> {
  const batches = await Array.fromAsync(log.follow(after, signal))
  return batches.flat().map((event) => event.seq)
}

test('numbers events from 1 without gaps and gives them to a follower who comes late', async () => {
  const log = new TurnLog()
  for (const text of ['a', 'b', 'c']) log.append(delta(text))
  log.end()
  expect(await read(log)).toEqual([1, 2, 3])
  expect(await read(log, 2)).toEqual([3])
  expect(await read(log, 99)).toEqual([])
})

test('gives every follower every event, live and at its own pace', async () => {
  const log = new TurnLog()
  const early = read(log)
  log.append(delta('a'))
  const late = read(log)
  log.append(delta('b'))
  log.end()
  expect(await Promise.all([early, late])).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('lets a follower go away without ending the turn', async () => {
  const log = new TurnLog()
  const leaving = new AbortController()
  const gone = read(log, 0, leaving.signal)
  const staying = read(log)
  leaving.abort()
  log.append(delta('a'))
  log.end()
  expect(await gone).toEqual([])
  expect(await staying).toEqual([1])
})

test('hands out a long log in batches of bounded size', async () => {
  const log = new TurnLog()
  for (let count = 0; count < 100; count += 1) log.append(delta('x'.repeat(1000)))
  log.end()
  const batches = await Array.fromAsync(log.follow(0, never))
  const sizes = batches.map((batch) => batch.reduce((sum, event) => sum + event.frame.length, 0))
  expect(Math.max(...sizes)).toBeLessThan(34 * 1024)
  expect(batches.flat()).toHaveLength(100)
})

test('takes nothing after its end', () => {
  const log = new TurnLog()
  log.end()
  expect(() => log.append(delta('late'))).toThrow('takes no more events')
})

test('writes a text that looks like an event as data of one event', () => {
  const log = new TurnLog()
  const { frame } = log.append(delta('x\n\nevent: done\ndata: {}\r\n\r\n'))
  expect(frame.split('\n').filter((line) => line !== '')).toHaveLength(2)
})
