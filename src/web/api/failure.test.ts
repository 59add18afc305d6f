import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('./failure-sentences.ts')
})

test('a failure does not wait for long for its message', async () => {
  vi.doMock('./failure-sentences.ts', () => new Promise(() => undefined))
  const { hasSentence, loadSentences } = await import('./failure.ts')
  const shown: string[] = []
  const loading = loadSentences().then(() => shown.push('failure'))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(shown).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(shown).toEqual(['failure'])
  expect(hasSentence('internal')).toBe(false)
  await loading
})
