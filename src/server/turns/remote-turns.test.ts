import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { PubSub } from '../pubsub/pubsub.ts'
import { RemoteTurns } from './remote-turns.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

test('reads a turn while somebody follows it or waits for its end, and at no other time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const remote = new RemoteTurns({ database: opened.database, pubsub: new PubSub(), onFault: (message) => expect.fail(message) })
  const leaving = new AbortController()
  const followed = remote.turn({ id: 't', session: 's' })
  const followers = [followed.follow(0, leaving.signal), followed.follow(0, leaving.signal)]
  const reads = followers.map((follower) => follower.next())
  const ended = remote.ended('t', leaving.signal)
  expect(vi.getTimerCount()).toBe(1)
  leaving.abort()
  await Promise.all([...reads, ended])
  expect(vi.getTimerCount()).toBe(0)
})
