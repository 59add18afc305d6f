import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Entry, FairQueue, type FairQueueOptions } from './fair-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Asked {
  name: string
  entry: Promise<Entry>
  leave(): Promise<void>
  goAway(): void
}

/** A queue, the admitted and rejected entries so far, and functions to add entries. */
function open(options: Partial<FairQueueOptions> = {}) {
  const ends: string[] = []
  const waits: [string, number][] = []
  const queue = new FairQueue({
    maxRunning: 1,
    maxPending: 100,
    maxWaitMs: 10_000,
    isSlow: () => false,
    now: () => Date.now(),
    onWaited: (...wait) => waits.push(wait),
    ...options,
  })
  const ask = (name: string, lane = name): Asked => {
    const gone = new AbortController()
    const entry = Promise.resolve(queue.enter({ lane, gone: () => gone.signal }))
    const noted = entry.then(({ kind }) => ends.push(`${name} ${kind}`))
    return {
      name,
      entry,
      goAway: () => gone.abort(),
      async leave() {
        await noted
        const outcome = await entry
        if (outcome.kind === 'entered') outcome.leave()
      },
    }
  }
  const settled = () => vi.advanceTimersByTimeAsync(0)
  return { queue, ask, ends, waits, settled }
}

test('admits as many as there are slots, and then one for each released, first come first served', async () => {
  const { ask, ends, queue, settled } = open({ maxRunning: 2 })
  const asked = ['a', 'b', 'c', 'd'].map((name) => ask(name))
  await settled()
  expect(ends).toEqual(['a entered', 'b entered'])
  expect([queue.running, queue.waiting]).toEqual([2, 2])
  await asked[1]?.leave()
  await settled()
  expect(ends).toEqual(['a entered', 'b entered', 'c entered'])
  // Leaving twice frees one position.
  await asked[1]?.leave()
  await settled()
  expect(ends).not.toContain('d entered')
})

test('alternates between lanes, so that one with many prompts does not delay another', async () => {
  const { ask, ends, settled } = open()
  const first = ask('running')
  const flood = Array.from({ length: 50 }, (_, index) => ask(`flood ${index}`, 'flood'))
  ask('patient')
  await settled()
  await first.leave()
  await flood[0]?.leave()
  await settled()
  expect(ends).toEqual(['running entered', 'flood 0 entered', 'patient entered'])
})

test('rejects prompts after the maximum wait, and frees their positions', async () => {
  const { ask, ends, waits } = open()
  const first = ask('a')
  ask('b')
  await vi.advanceTimersByTimeAsync(4_000)
  ask('c')
  await vi.advanceTimersByTimeAsync(6_000)
  expect(ends).toEqual(['a entered', 'b late'])
  await first.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toEqual(['a entered', 'b late', 'c entered'])
  expect(waits).toEqual([
    ['late', 10_000],
    ['entered', 6_000],
  ])
})

test('removes prompts whose sender disconnects', async () => {
  const { ask, ends, queue, settled } = open()
  const first = ask('a')
  const gone = ask('b')
  const last = ask('c')
  gone.goAway()
  await settled()
  expect(queue.waiting).toBe(1)
  await first.leave()
  await settled()
  expect(ends).toEqual(['a entered', 'b left', 'c entered'])
  await last.leave()
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('rejects at once when full, unless another lane is longer: its last entry makes room', async () => {
  const { ask, ends, queue, settled } = open({ maxPending: 3 })
  ask('running')
  for (const name of ['f1', 'f2', 'f3']) ask(name, 'flood')
  expect([queue.isFullFor('flood'), queue.isFullFor('patient')]).toEqual([true, false])
  ask('f4', 'flood')
  ask('patient')
  ask('another')
  ask('one too many')
  await settled()
  expect(ends).toEqual(['running entered', 'f4 full', 'f3 full', 'f2 full', 'one too many full'])
  expect(queue.waiting).toBe(3)
})

test('makes room in the longest lane, whichever came first', async () => {
  const { ask, ends, settled } = open({ maxPending: 4 })
  ask('running')
  ask('early')
  for (const name of ['f1', 'f2', 'f3']) ask(name, 'flood')
  ask('patient')
  await settled()
  expect(ends).toEqual(['running entered', 'f3 full'])
})

test('gives a lane no more slots than it may have, and the others to the lanes behind it', async () => {
  const { ask, ends, settled } = open({ maxRunning: 2, maxRunningOfLane: 1 })
  const first = ask('f1', 'flood')
  ask('f2', 'flood')
  await settled()
  ask('other')
  ask('late')
  await settled()
  expect(ends).toEqual(['f1 entered', 'other entered'])
  await first.leave()
  await settled()
  expect(ends).toEqual(['f1 entered', 'other entered', 'f2 entered'])
})

test('queues everyone while the process is slow, admitting one per tick, and more per tick once it is fast again', async () => {
  let isSlow = true
  const { ask, queue, settled } = open({ maxRunning: 100, isSlow: () => isSlow })
  for (let index = 0; index < 40; index += 1) ask(`${index}`)
  const ticks = async (count: number) => {
    const running = []
    for (let tick = 0; tick < count; tick += 1) {
      queue.tick()
      await settled()
      running.push(queue.running)
    }
    return running
  }
  expect(queue.running).toBe(0)
  expect(await ticks(3)).toEqual([1, 2, 3])
  isSlow = false
  expect(await ticks(4)).toEqual([5, 9, 17, 33])
})

test('rejects waiting and new prompts at shutdown', async () => {
  const { ask, ends, queue, settled } = open()
  ask('a')
  ask('b')
  await settled()
  queue.close()
  ask('c')
  await settled()
  expect(ends).toEqual(['a entered', 'b closed', 'c closed'])
  expect(vi.getTimerCount()).toBe(0)
})

test('who came while the process was slow for a moment enters with the ticks after it, also alone', async () => {
  let isSlow = true
  const { ask, queue, settled } = open({ maxRunning: 100, isSlow: () => isSlow })
  for (const name of ['a', 'b', 'c']) ask(name)
  isSlow = false
  queue.tick()
  await settled()
  expect(queue.running).toBe(2)
  queue.tick()
  await settled()
  expect(queue.running).toBe(3)
})

test('a lane has as many slots as it may, whichever of them are released', async () => {
  const { ask, queue, ends, settled } = open({ maxRunning: 10, maxRunningOfLane: 2 })
  const [first] = ['one', 'two', 'three', 'four'].map((name) => ask(name, 'lane'))
  await settled()
  expect(queue.running).toBe(2)
  await first?.leave()
  await settled()
  ask('five', 'lane')
  await settled()
  expect([queue.running, ends]).toEqual([2, ['one entered', 'two entered', 'three entered']])
})

test('a slot that is released frees one slot of its lane, not all', async () => {
  const { ask, queue, settled } = open({ maxRunning: 10, maxRunningOfLane: 2 })
  const [first] = ['one', 'two'].map((name) => ask(name, 'lane'))
  await first?.leave()
  for (const name of ['three', 'four']) ask(name, 'lane')
  await settled()
  expect([queue.running, queue.waiting]).toEqual([2, 1])
})
