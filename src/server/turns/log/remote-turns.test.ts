import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { storeChat } from '../../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { PubSub } from '../../pubsub/pubsub.ts'
import { endTurn, findEnd } from '../../store/turns/turn-ends.ts'
import { RemoteTurns } from './remote-turns.ts'
import { storedEnd } from './stored-turn.ts'

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

test('the end of a turn of another process is known once that has stored it; a deleted one is interrupted', async () => {
  const { database } = opened
  await storeChat(database, { id: 'far', owner: 'v', at: 1, answer: null })
  const remote = new RemoteTurns({ database, pubsub: new PubSub(), onFault: (message) => expect.fail(message) })
  let isEnded = false
  const { ended } = remote.turn({ id: 'far-turn', session: 'far' })
  const noted = ended.then(() => (isEnded = true))
  expect(await findEnd(database, 'far-turn')).toBeUndefined()
  expect(isEnded).toBe(false)
  const answer = { id: 'far-answer', role: 'assistant' as const, parts: [], metadata: { turnId: 'far-turn' } }
  await endTurn(database, 'far-turn', { status: 'done', code: null, state: 'answered', usage: null, answer }, 2)
  await noted
  expect(await ended).toMatchObject({ status: 'done', answer: { id: 'far-answer' } })
  expect(await storedEnd(database, { id: 'deleted-turn', session: 'deleted' })).toMatchObject({
    status: 'interrupted',
    code: 'not_found',
    answer: { role: 'assistant', parts: [], metadata: { sessionId: 'deleted', turnId: 'deleted-turn' } },
  })
})
