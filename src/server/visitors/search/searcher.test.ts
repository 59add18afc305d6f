import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DATABASES } from '../../../../test/support/databases.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { DatabaseSettings } from '../../store/engine/open-database.ts'
import type { SearchPage } from './search-chats.ts'
import { Searcher } from './searcher.ts'

const NOW = Date.UTC(2026, 10, 21)

describe.each(DATABASES)('searching in a thread on %s', (kind) => {
  let settings: DatabaseSettings
  let remove: () => Promise<void>
  beforeAll(async () => {
    const opened = await openTestDatabase(kind)
    ;({ settings, remove } = opened)
    await storeChat(opened.database, { id: 'found', owner: 'c_thread', at: NOW, prompt: 'one needle' })
  })
  afterAll(() => remove())

  // The database makes no difference to the thread, so that one is enough for all but the first test.
  const ask = (searcher: Searcher, query: string) => searcher.search({ access: accessOf('c_thread', NOW), query })
  const keysOf = (page: SearchPage | undefined) => page?.chats.map(({ session }) => session.key)

  /** A searcher whose searches take as long as they need, however busy the machine is, and what ends them. */
  function openSearcher() {
    const limits: AbortController[] = []
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    })
    const searcher = new Searcher(settings)
    onTestFinished(async () => {
      timeouts.mockRestore()
      await searcher.close()
    })
    return { searcher, limits }
  }

  test('answers each of several searches with its own result, also after it was closed', async () => {
    const { searcher } = openSearcher()
    const found = await Promise.all(['needle', 'nothing', 'one'].map((query) => ask(searcher, query)))
    expect(found.map(keysOf)).toEqual([['found'], [], ['found']])
    await searcher.close()
    expect(keysOf(await ask(searcher, 'needle'))).toEqual(['found'])
  })

  test.runIf(kind === 'sqlite')('rejects the 51st search that waits, and answers the others, each time', async () => {
    const { searcher } = openSearcher()
    for (const _ of ['once', 'again']) {
      const pages = await Promise.all(Array.from({ length: 51 }, () => ask(searcher, 'nothing')))
      expect(pages.map((page) => page !== undefined)).toEqual([...Array.from({ length: 50 }, () => true), false])
    }
  })

  test.runIf(kind === 'sqlite')('passes on why a search failed, and answers the next one', async () => {
    const { searcher } = openSearcher()
    const broken = { access: accessOf('c_thread', NOW), query: 'x', after: [{} as never, 'x', 0] satisfies SearchPage['next'] }
    await expect(searcher.search(broken)).rejects.toThrow('cannot be bound')
    expect(keysOf(await ask(searcher, 'nothing'))).toEqual([])
  })

  test.runIf(kind === 'sqlite')('a search that takes too long fails, and its late result is not that of the next', async () => {
    const { searcher, limits } = openSearcher()
    const [slow, next] = [ask(searcher, 'needle'), ask(searcher, 'nothing')]
    await eventually(() => expect(limits).toHaveLength(1))
    limits[0]!.abort()
    await expect(slow).rejects.toThrow('aborted')
    expect(keysOf(await next)).toEqual([])
  })

  test.runIf(kind === 'sqlite')('the thread ends a minute after the last search, and one that arrives meanwhile is answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const terminate = vi.spyOn(Worker.prototype, 'terminate')
    onTestFinished(() => terminate.mockRestore())
    const { searcher } = openSearcher()
    await ask(searcher, 'needle')
    await vi.advanceTimersByTimeAsync(59_000)
    await ask(searcher, 'needle')
    await vi.advanceTimersByTimeAsync(59_999)
    expect(terminate).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(terminate).toHaveBeenCalledOnce()
    expect(keysOf(await ask(searcher, 'needle'))).toEqual(['found'])
  })
})
