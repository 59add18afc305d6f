import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_LISTED_SESSIONS } from '../../src/contract/size-limits.ts'
import type { SessionEvent } from '../../src/contract/chat/sessions.ts'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import { ownerTopic } from '../../src/server/pubsub/topics.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { insertPrompt } from '../../src/server/store/turns/turns.ts'
import { SessionFeed } from '../../src/server/visitors/session-feed.ts'

const OWNER = 'c_owner'
const NOW = Date.UTC(2026, 10, 21)
const access = { owner: OWNER, credential: true, now: NOW, retentionMs: 24 * 60 * 60 * 1000 }

let directory: string
let database: Database
let pubsub: PubSub
let feed: SessionFeed
let leaving: AbortController
let events: SessionEvent[]
let reading: Promise<void>

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-feed-'))
  database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
  pubsub = new PubSub()
  feed = new SessionFeed({
    database,
    pubsub,
    now: () => NOW,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
  leaving = new AbortController()
  events = []
})
afterEach(async () => {
  vi.useRealTimers()
  leaving.abort()
  await reading
  feed.close()
  await database.destroy()
  rmSync(directory, { recursive: true })
})

/** Stored without notifying the feed, as by another process. */
async function store(name: string, now = NOW): Promise<void> {
  await insertPrompt(database, {
    id: `t_${name}`,
    instance: 'elsewhere',
    now,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    message: { id: `m_${name}`, role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    continues: null,
    newSession: { id: name, owner: OWNER, agent: 'assistant', title: name, openById: false },
    newVisitor: null,
  })
}

const remove = (name: string) => unrestricted(database).deleteFrom('sessions').where('id', '=', name).execute()

/** Follows from now on, by the test's clock. */
async function follow(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  reading = (async () => {
    for await (const some of feed.follow(access, leaving.signal)) events.push(...some)
  })()
  await vi.advanceTimersByTimeAsync(10)
  expect(events).toEqual([{ type: 'resync' }])
  // Waits for the first comparison.
  await vi.advanceTimersByTimeAsync(1_000)
  events.length = 0
}

const keys = () => events.map((event) => `${event.type} ${event.type === 'session' ? event.session.key : 'key' in event ? event.key : ''}`)

test('finds within a second what another process has stored', async () => {
  await store('before')
  await follow()
  await store('after')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(keys()).toEqual(['session after'])
})

test('finds within 15 seconds what another process has deleted, or has stored with a clock one hour behind', async () => {
  await store('kept')
  await store('deleted')
  await follow()
  await remove('deleted')
  await store('late', NOW - 60 * 60 * 1000)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(keys().toSorted()).toEqual(['session late', 'session-deleted deleted'])
})

test('finds published changes immediately', async () => {
  await store('kept')
  await follow()
  await remove('kept')
  pubsub.publish(ownerTopic(OWNER))
  await vi.advanceTimersByTimeAsync(1)
  expect(keys()).toEqual(['session-deleted kept'])
})

test('does not report sessions that left a full list as deleted', async () => {
  for (let index = 0; index < MAX_LISTED_SESSIONS; index += 1) await store(`s${index}`, NOW - 10_000 - index)
  await follow()
  await store('newest')
  pubsub.publish(ownerTopic(OWNER))
  await vi.advanceTimersByTimeAsync(1)
  expect(keys()).toEqual(['session newest'])
})

test('reports sessions that moved to another owner as deleted, in a full list too', async () => {
  for (let index = 0; index <= MAX_LISTED_SESSIONS; index += 1) await store(`s${index}`, NOW - index)
  await follow()
  await unrestricted(database).updateTable('sessions').set({ owner: 'c_other' }).where('id', '=', 's0').execute()
  pubsub.publish(ownerTopic(OWNER))
  await vi.advanceTimersByTimeAsync(1)
  expect(keys()).toEqual(['session-deleted s0', `session s${MAX_LISTED_SESSIONS}`])
})

test('reads nothing any more once it is closed, and its readers end', async () => {
  await follow()
  feed.close()
  await reading
  await store('after')
  await vi.advanceTimersByTimeAsync(30_000)
  expect([events, vi.getTimerCount()]).toEqual([[], 0])
})

test('tells a reader that fell too far behind to reload the list', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const slow = feed.follow(access, leaving.signal)
  reading = Promise.resolve()
  expect((await slow.next()).value).toEqual([{ type: 'resync' }])
  for (const round of [0, 1, 2]) {
    for (let index = 0; index < 90; index += 1) await store(`r${round}-${index}`, NOW + round)
    pubsub.publish(ownerTopic(OWNER))
    await vi.advanceTimersByTimeAsync(1)
  }
  const { value } = await slow.next()
  expect((value as SessionEvent[])[0]).toEqual({ type: 'resync' })
  expect((value as SessionEvent[]).length).toBeLessThan(100)
  await slow.return(undefined)
})

test('fails at the start if the list cannot be read', async () => {
  reading = Promise.resolve()
  await database.destroy()
  await expect(feed.follow(access, leaving.signal).next()).rejects.toThrow('destroyed')
})
