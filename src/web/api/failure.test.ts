import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.doUnmock('./failure-sentences.ts')
})

test('a failure is told without its message where that can’t be loaded', async () => {
  vi.doMock('./failure-sentences.ts', () => Promise.reject(new Error('away')))
  const { failureSentence, hasSentence, loadSentences } = await import('./failure.ts')
  await loadSentences()
  expect([hasSentence('internal'), hasSentence('offline'), hasSentence(undefined)]).toEqual([false, true, false])
  expect(failureSentence('internal')).toContain('Something went wrong')
})

test('a model that is being downloaded is told with its progress', async () => {
  const { failureSentence, loadSentences, recordDownload } = await import('./failure.ts')
  await loadSentences()
  const before = failureSentence('model_loading')
  recordDownload(37)
  expect(before).not.toContain('37')
  expect(failureSentence('model_loading')).toContain('37')
  expect(failureSentence('internal')).not.toContain('37')
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
