import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PubSub, type PubSubTransport } from './pubsub.ts'
import { Poller } from './poller.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Look {
  topics: string[]
  why: 'published' | 'due'
}

/** A poller of a pubsub whose reliability the test controls. */
function watchWith({ isReliable = false, fail = () => false }: { isReliable?: boolean; fail?: () => boolean } = {}) {
  const line = { isReliable, send: () => undefined, close: async () => undefined } satisfies PubSubTransport
  let trustChanged = () => undefined as void
  const pubsub = new PubSub((hear) => {
    trustChanged = hear.trustChanged
    return line
  })
  const looks: Look[] = []
  const faults: unknown[] = []
  const watch = new Poller({
    pubsub,
    intervalMs: 250,
    onFault: (cause) => faults.push(cause),
    poll: async (topics, why) => {
      looks.push({ topics, why })
      if (fail()) throw new Error('The database is away')
    },
  })
  const trust = (value: boolean) => {
    line.isReliable = value
    trustChanged()
  }
  return { watch, pubsub, looks, faults, trust }
}

test('polls published topics immediately, and nothing else', async () => {
  const { watch, pubsub, looks } = watchWith({ isReliable: true })
  watch.add('a')
  watch.add('b')
  pubsub.publish('b', 'c')
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toEqual([{ topics: ['b'], why: 'published' }])
})

test('polls all topics together once per interval while pubsub is unreliable', async () => {
  const { watch, looks } = watchWith()
  watch.add('a')
  watch.add('b')
  await vi.advanceTimersByTimeAsync(1000)
  expect(looks).toEqual(Array.from({ length: 4 }, () => ({ topics: ['a', 'b'], why: 'due' })))
})

test('polls rarely, but still polls, while pubsub is trusted', async () => {
  const { watch, looks } = watchWith({ isReliable: true })
  watch.add('a')
  await vi.advanceTimersByTimeAsync(14_999)
  expect(looks).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(1)
})

test('polls all topics as soon as pubsub fails or recovers', async () => {
  const { watch, looks, trust } = watchWith({ isReliable: true })
  watch.add('a')
  trust(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toEqual([{ topics: ['a'], why: 'due' }])
  trust(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(2)
})

test('polls all topics despite constant publishing', async () => {
  const { watch, pubsub, looks } = watchWith()
  watch.add('a')
  watch.add('quiet')
  for (let count = 0; count < 30; count += 1) {
    pubsub.publish('a')
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(looks.filter(({ why }) => why === 'due')).toEqual([{ topics: ['a', 'quiet'], why: 'due' }])
})

test('does nothing while nothing is watched', async () => {
  const { watch, pubsub, looks } = watchWith()
  watch.add('a')
  watch.remove('a')
  pubsub.publish('a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('logs the first of several faults, retries every second, and recovers', async () => {
  let isAway = true
  const { watch, looks, faults } = watchWith({ fail: () => isAway })
  watch.add('a')
  await vi.advanceTimersByTimeAsync(3250)
  expect(looks).toHaveLength(4)
  expect(faults).toHaveLength(1)
  isAway = false
  await vi.advanceTimersByTimeAsync(1000)
  await vi.advanceTimersByTimeAsync(500)
  expect(looks).toHaveLength(7)
})
