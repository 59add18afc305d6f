import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { PubSub } from '../pubsub/pubsub.ts'
import { StopRequests } from './stop-requests.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

test('looks for requests while a local turn runs, and at no other time', () => {
  vi.useFakeTimers()
  try {
    const requests = new StopRequests({
      database: opened.database,
      pubsub: new PubSub(),
      instance: 'i',
      stop: () => undefined,
      onFault: () => undefined,
    })
    requests.track('one')
    requests.track('other')
    requests.untrack('one')
    expect(vi.getTimerCount()).toBe(1)
    requests.untrack('other')
    expect(vi.getTimerCount()).toBe(0)
    requests.close()
  } finally {
    vi.useRealTimers()
  }
})
