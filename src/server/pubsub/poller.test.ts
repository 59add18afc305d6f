import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Bell, type Line } from './pubsub.ts'
import { Watch } from './poller.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Look {
  topics: string[]
  why: 'rung' | 'due'
}

/** A watch over a bell whose trust the test decides. */
function watchWith({ isTrusted = false, fail = () => false }: { isTrusted?: boolean; fail?: () => boolean } = {}) {
  const line = { isTrusted, send: () => undefined, close: async () => undefined } satisfies Line
  let trustChanged = () => undefined as void
  const bell = new Bell((hear) => {
    trustChanged = hear.trustChanged
    return line
  })
  const looks: Look[] = []
  const faults: unknown[] = []
  const watch = new Watch({
    bell,
    intervalMs: 250,
    onFault: (cause) => faults.push(cause),
    look: async (topics, why) => {
      looks.push({ topics, why })
      if (fail()) throw new Error('The database is away')
    },
  })
  const trust = (value: boolean) => {
    line.isTrusted = value
    trustChanged()
  }
  return { watch, bell, looks, faults, trust }
}

test('looks at what rings at once, and at nothing else', async () => {
  const { watch, bell, looks } = watchWith({ isTrusted: true })
  watch.add('a')
  watch.add('b')
  bell.ring('b', 'c')
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toEqual([{ topics: ['b'], why: 'rung' }])
})

test('looks at everything once an interval, for all together, while the bell cannot be trusted', async () => {
  const { watch, looks } = watchWith()
  watch.add('a')
  watch.add('b')
  await vi.advanceTimersByTimeAsync(1000)
  expect(looks).toEqual(Array.from({ length: 4 }, () => ({ topics: ['a', 'b'], why: 'due' })))
})

test('rests while the bell can be trusted, but not for ever', async () => {
  const { watch, looks } = watchWith({ isTrusted: true })
  watch.add('a')
  await vi.advanceTimersByTimeAsync(14_999)
  expect(looks).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(1)
})

test('looks at everything as soon as trust is lost or won back', async () => {
  const { watch, looks, trust } = watchWith({ isTrusted: true })
  watch.add('a')
  trust(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toEqual([{ topics: ['a'], why: 'due' }])
  trust(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(2)
})

test('is not kept by constant ringing from looking at everything', async () => {
  const { watch, bell, looks } = watchWith()
  watch.add('a')
  watch.add('quiet')
  for (let count = 0; count < 30; count += 1) {
    bell.ring('a')
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(looks.filter(({ why }) => why === 'due')).toEqual([{ topics: ['a', 'quiet'], why: 'due' }])
})

test('does nothing while nothing is watched', async () => {
  const { watch, bell, looks } = watchWith()
  watch.add('a')
  watch.remove('a')
  bell.ring('a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('tells of the first of several faults, tries again every second, and then goes on as before', async () => {
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
