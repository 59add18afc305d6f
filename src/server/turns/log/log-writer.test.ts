import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { TurnEventRow } from '../../store/turns/turn-events.ts'
import { LogWriter, type LossReason } from './log-writer.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] }))
afterEach(() => vi.useRealTimers())

const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: '1', delta: text })
const START: ChatChunk = { type: 'start' }
const never = new AbortController().signal

/** A writer to a database that accepts rows, rejects them, or blocks, as the test sets. */
function writerTo({ gone = new Set<string>(), locked = new Set<string>() } = {}) {
  const statements: TurnEventRow[][] = []
  const state = { isAway: false, answers: [] as (() => void)[], isSlow: false }
  const faults: string[] = []
  const lost: [string, LossReason][] = []
  const writer = new LogWriter({
    onFault: (message) => faults.push(message),
    async write(rows) {
      if (state.isAway) throw new Error('away')
      if (state.isSlow) await new Promise<void>((resolve) => state.answers.push(resolve))
      statements.push(rows)
      return { gone, locked }
    },
  })
  const open = (id: string) => writer.open(id, (why) => lost.push([id, why]))
  return { writer, open, statements, state, faults, lost }
}

const turnsIn = (statements: TurnEventRow[][]) => statements.map((rows) => rows.map((row) => row.turnId))

test('writes the first words of a turn and what precedes them at once, and merges the rest of a burst', async () => {
  const { open, statements } = writerTo()
  for (const id of ['a', 'b', 'c']) {
    const log = open(id)
    log.append(START)
    log.append(delta('first'))
  }
  await vi.advanceTimersByTimeAsync(0)
  expect(turnsIn(statements)).toEqual([['a'], ['b', 'c']])
  expect(statements[0]?.[0]).toMatchObject({ firstSeq: 1, lastSeq: 2 })
})

test('writes later text every 100 ms, for all turns in one statement', async () => {
  const { open, statements } = writerTo()
  const logs = ['a', 'b'].map(open)
  for (const log of logs) log.append(delta('first'))
  await vi.advanceTimersByTimeAsync(0)
  for (let time = 0; time < 300; time += 10) {
    for (const log of logs) log.append(delta('more'))
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(turnsIn(statements)).toEqual(Array.from({ length: 4 }, () => ['a', 'b']))
})

test('shows an event only after the database has it', async () => {
  const { open, state } = writerTo()
  state.isSlow = true
  const log = open('a')
  log.append(delta('first'))
  await vi.advanceTimersByTimeAsync(0)
  expect(log.read(0).kind).toBe('nothing-yet')
  state.answers[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(log.read(0).kind).toBe('events')
})

test('delays only the turn that produces more than can be written', async () => {
  const { writer, open, state } = writerTo()
  state.isSlow = true
  const [fast, slow] = [open('fast'), open('slow')]
  fast.append(delta('x'.repeat(70_000)))
  slow.append(delta('x'))
  const heard: string[] = []
  const room = writer.room(fast, never).then(() => heard.push('there is room'))
  await writer.room(slow, never)
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toEqual([])
  while (heard.length === 0) {
    state.answers.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  await room
})

test('buffers rejected writes up to a megabyte, and catches up', async () => {
  const { writer, open, statements, state, faults, lost } = writerTo()
  state.isAway = true
  const logs = Array.from({ length: 20 }, (_, index) => open(`t${index}`))
  for (const log of logs) log.append(delta('x'.repeat(60_000)))
  const blocked = writer.room(logs[0] as (typeof logs)[0], never)
  await vi.advanceTimersByTimeAsync(50_000)
  expect(faults).toHaveLength(1)
  state.isAway = false
  await vi.advanceTimersByTimeAsync(2_000)
  await blocked
  expect(lost).toEqual([])
  const characters = statements.flat().reduce(
    (sum, row) =>
      sum +
      JSON.parse(row.chunks)
        .map((chunk: { delta: string }) => chunk.delta)
        .join('').length,
    0,
  )
  expect(characters).toBe(20 * 60_000)
  for (const rows of statements) expect(rows.reduce((sum, row) => sum + row.chunks.length, 0)).toBeLessThan(600_000)
})

test('abandons turns after a minute without a database, except those with nothing to write', async () => {
  const { open, state, lost } = writerTo()
  const quiet = open('quiet')
  quiet.append(delta('written'))
  await vi.advanceTimersByTimeAsync(0)
  state.isAway = true
  open('held').append(delta('x'))
  await vi.advanceTimersByTimeAsync(59_000)
  expect(lost).toEqual([])
  await vi.advanceTimersByTimeAsync(3_500)
  expect(lost).toEqual([['held', 'not-stored']])
  state.isAway = false
  quiet.append(delta('and on'))
  await vi.advanceTimersByTimeAsync(100)
  expect(quiet.read(1).kind).toBe('events')
})

test('notifies a turn that was taken over, and continues to write the others', async () => {
  const { open, lost } = writerTo({ gone: new Set(['taken']) })
  const taken = open('taken')
  const own = open('own')
  taken.append(delta('x'))
  own.append(delta('x'))
  await vi.advanceTimersByTimeAsync(0)
  expect(lost).toEqual([['taken', 'taken-away']])
  expect(taken.read(0).kind).toBe('nothing-yet')
  expect(own.read(0).kind).toBe('events')
})

test('retries a turn that is being ended elsewhere, and continues to write the others', async () => {
  const locked = new Set(['being-ended'])
  const { open, lost } = writerTo({ locked })
  const [held, own] = [open('being-ended'), open('own')]
  held.append(delta('x'))
  own.append(delta('x'))
  await vi.advanceTimersByTimeAsync(0)
  expect([held.read(0).kind, own.read(0).kind]).toEqual(['nothing-yet', 'events'])
  locked.clear()
  await vi.advanceTimersByTimeAsync(100)
  expect([held.read(0).kind, lost]).toEqual(['events', []])
})

test('discards pending events of a turn that has ended', async () => {
  const { writer, open, statements } = writerTo()
  const log = open('a')
  log.append(START)
  writer.close(log)
  log.end([{ type: 'finish' }])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(statements).toEqual([])
})

test('a turn that ends releases its share of the common buffer', async () => {
  const { writer, open, state } = writerTo()
  state.isAway = true
  const logs = Array.from({ length: 20 }, (_, index) => open(`t${index}`))
  for (const log of logs) log.append(delta('x'.repeat(60_000)))
  const freed: string[] = []
  const room = writer.room(open('quiet'), never).then(() => freed.push('quiet'))
  await vi.advanceTimersByTimeAsync(0)
  expect(freed).toEqual([])
  for (const log of logs) writer.close(log)
  await vi.advanceTimersByTimeAsync(0)
  expect(freed).toEqual(['quiet'])
  await room
})

test('a turn that waits for room stops waiting when it is aborted, and no sooner', async () => {
  const { writer, open, state } = writerTo()
  state.isAway = true
  const log = open('a')
  log.append(delta('x'.repeat(70_000)))
  const aborted = new AbortController()
  const left: string[] = []
  const room = writer.room(log, aborted.signal).then(() => left.push('a'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(left).toEqual([])
  aborted.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(left).toEqual(['a'])
  await room
})

test('writes the pending events of a turn that needs room at once', async () => {
  const { writer, open, statements } = writerTo()
  const log = open('a')
  log.append(delta('first'))
  await vi.advanceTimersByTimeAsync(0)
  log.append(delta('x'.repeat(70_000)))
  const room = writer.room(log, never)
  await vi.advanceTimersByTimeAsync(0)
  expect(statements.length).toBeGreaterThan(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await room
})

test('has one statement under way at a time', async () => {
  const { open, state } = writerTo()
  state.isSlow = true
  const log = open('a')
  for (let time = 0; time < 1_000; time += 50) {
    log.append(delta('more'))
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(state.answers).toHaveLength(1)
})

test('pauses between attempts during an outage, however much is appended', async () => {
  const attempts: number[] = []
  const begun = performance.now()
  const write = () => {
    attempts.push(performance.now() - begun)
    return Promise.reject(new Error('away'))
  }
  const writer = new LogWriter({ write, onFault: () => undefined })
  const log = writer.open('a', () => undefined)
  for (let time = 0; time < 6_000; time += 50) {
    log.append(delta('more'))
    if (time === 50) writer.open('b', () => undefined).append(delta('first'))
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(attempts).toEqual([0, 100, 300, 700, 1_500, 3_100, 5_100])
})

test('writes what does not fit into a statement with the next one, at once', async () => {
  const { open, statements } = writerTo()
  const logs = Array.from({ length: 501 }, (_, index) => open(`t${index}`))
  for (const log of logs) log.append(delta('first'))
  await vi.advanceTimersByTimeAsync(1)
  expect(statements.map((rows) => rows.length)).toEqual([500, 1])
})

test('writes what was appended during a write at once if it is urgent, and otherwise 100 ms after the last write began', async () => {
  const { open, statements, state } = writerTo()
  const [one, other] = [open('one'), open('other')]
  state.isSlow = true
  const answer = async () => {
    state.answers.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  one.append(delta('first'))
  await vi.advanceTimersByTimeAsync(0)
  one.append(delta('more'))
  await answer()
  await vi.advanceTimersByTimeAsync(99)
  expect(state.answers).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(state.answers).toHaveLength(1)
  other.append(delta('first'))
  await answer()
  expect(state.answers).toHaveLength(1)
  await answer()
  expect(turnsIn(statements)).toEqual([['one'], ['one'], ['other']])
})

test('writes a burst that takes several rows without a pause', async () => {
  const { open } = writerTo()
  const log = open('a')
  log.append(delta('x'.repeat(100_000)))
  await vi.advanceTimersByTimeAsync(1)
  expect(log.pendingCharacters).toBe(0)
})

test('writes as usual after an outage, and reports the next one', async () => {
  const { writer, open, state, faults } = writerTo()
  const log = open('a')
  for (const outage of [1, 2]) {
    state.isAway = true
    log.append(delta('during'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(writer.failingSince).toBeLessThanOrEqual(performance.now() - 9_000)
    state.isAway = false
    await vi.advanceTimersByTimeAsync(2_000)
    expect([faults.length, writer.failingSince]).toEqual([outage, null])
    log.append(delta('after'))
    await vi.advanceTimersByTimeAsync(100)
    expect(log.pendingCharacters).toBe(0)
  }
})

test('writes what shows nothing within 100 ms, although more of it follows', async () => {
  const { open, statements } = writerTo()
  const log = open('a')
  for (const type of ['start', 'start-step', 'finish-step'] as const) {
    log.append({ type })
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(statements).toHaveLength(1)
})

test('plans one write at a time', async () => {
  const { open, state } = writerTo()
  state.isSlow = true
  const log = open('a')
  log.append(START)
  await vi.advanceTimersByTimeAsync(50)
  log.append(delta('first'))
  await vi.advanceTimersByTimeAsync(100)
  expect(state.answers).toHaveLength(1)
})
