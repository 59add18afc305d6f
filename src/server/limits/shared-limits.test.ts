import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSharedLimits, releaseSlotsOf, SharedLimits } from './shared-limits.ts'

let folder: string
let file: string
let one: SharedLimits
let other: SharedLimits
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-limits-'))
  file = join(folder, 'limits.db')
  createSharedLimits(file)
  one = new SharedLimits(file, 1)
  other = new SharedLimits(file, 2)
})
afterEach(() => {
  one.close()
  other.close()
  rmSync(folder, { recursive: true })
})

test('processes count together until a count ends', () => {
  const count = { key: 'reads of a visitor', endsAt: 100 }
  const up = (limits: SharedLimits, now: number, counted = count) => limits.up([counted], now).get(count.key)
  expect([up(one, 1), up(other, 2), up(one, 3)]).toEqual([1, 2, 3])
  one.down([count.key])
  expect(up(other, 4)).toBe(3)
  expect(up(other, 100, { ...count, endsAt: 200 })).toBe(1)
  expect(up(one, 101, { ...count, endsAt: 200 })).toBe(2)
})

test('a count that fails leaves nothing behind, and the next one works', () => {
  const valid = { key: 'reads of a visitor', endsAt: 100 }
  const count = () => one.up([valid], 1).get(valid.key)
  expect(count()).toBe(1)
  expect(() => one.up([valid, { key: 'reads of another', endsAt: Number.NaN }], 1)).toThrow('NOT NULL')
  expect(count()).toBe(2)
})

test('a slot that is released while another process holds the lock is free afterwards', async () => {
  const impatient = new SharedLimits(file, 3, 0)
  const release = impatient.slots('stream').tryAcquire([{ key: 'visitor', limit: 1 }])
  if (typeof release !== 'function') throw new Error('No slot')
  const locked = new DatabaseSync(file)
  locked.exec('begin immediate')
  expect(release).not.toThrow()
  locked.exec('rollback')
  locked.close()
  const streams = one.slots('stream')
  await expect.poll(() => streams.count('visitor')).toBe(0)
  const [again] = [1, 2].map(() => impatient.slots('stream').tryAcquire([{ key: 'visitor', limit: 2 }]))
  if (typeof again !== 'function') throw new Error('No slot')
  again()
  expect(streams.count('visitor')).toBe(1)
  again()
  expect(streams.count('visitor')).toBe(1)
  impatient.close()
})

test('a slot is taken from all processes, for every key or none', () => {
  const [streams, others] = [one.slots('stream'), other.slots('stream')]
  const limits = [
    { key: 'visitor', limit: 2 },
    { key: 'network', limit: 3 },
  ]
  const first = streams.tryAcquire(limits)
  expect(others.tryAcquire(limits)).toBeTypeOf('function')
  expect(streams.tryAcquire(limits)).toEqual({ reached: limits[0] })
  expect([others.count('visitor'), others.count('network')]).toEqual([2, 2])
  expect(one.slots('turn').count('visitor')).toBe(0)
  if (typeof first !== 'function') throw new Error('No slot')
  first()
  first()
  expect([streams.count('visitor'), streams.count('network')]).toEqual([1, 1])
})

test('the slots of a process that has ended are free again', () => {
  const limits = [{ key: 'network', limit: 1 }]
  one.slots('connection').tryAcquire(limits)
  other.slots('connection').tryAcquire([{ key: 'another', limit: 1 }])
  releaseSlotsOf(file, 1)
  expect([other.slots('connection').count('network'), other.slots('connection').count('another')]).toEqual([0, 1])
})

test('counts that have ended are forgotten', () => {
  one.up([{ key: 'read', endsAt: 100 }], 1)
  one.up([{ key: 'write', endsAt: 30_000 }], 20_000)
  const reader = new DatabaseSync(file)
  expect(reader.prepare('select ends_at from counts').all()).toMatchObject([{ ends_at: 30_000 }])
  reader.close()
})

test('the file names nobody', () => {
  one.slots('connection').tryAcquire([{ key: '192.0.2.7', limit: 1 }])
  one.up([{ key: 'visitor v_ada', endsAt: 10 }], 1)
  const content = readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1')
  expect(content).not.toMatch(/192\.0\.2|v_ada/)
})
