import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import { turnTopic } from '../../src/server/pubsub/topics.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { insertTurnEvents } from '../../src/server/store/turns/turn-events.ts'
import { endTurn } from '../../src/server/store/turns/turn-ends.ts'
import { insertPrompt } from '../../src/server/store/turns/turns.ts'
import { FIRST_REPLAYED_SEQ } from '../../src/server/turns/log/follow.ts'
import { RemoteTurns } from '../../src/server/turns/log/remote-turns.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { openTestDatabase } from '../support/test-database.ts'

const NOW = Date.UTC(2026, 10, 21)

describe.each(BOTH_DATABASES)('turns of another process on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  /** Statements sent by the followers' side. */
  let statements = 0
  let pubsub: PubSub
  let remote: RemoteTurns
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    const counted = database.withPlugin({
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    pubsub = new PubSub()
    remote = new RemoteTurns({ database: counted, pubsub, onFault: (message) => expect.fail(message) })
  })
  afterAll(async () => {
    remote.close()
    await remove()
  })

  let turns = 0

  async function newTurn(): Promise<string> {
    turns += 1
    const id = `t_${turns}`
    const message = { id: `m_${turns}`, role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }
    const newSession = { id: `s_${turns}`, owner: 'v', agent: 'assistant', title: 'hi', openById: false }
    await insertPrompt(database, {
      id,
      instance: 'other',
      now: NOW,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
      message,
      continues: null,
      newSession,
      newVisitor: null,
    })
    return id
  }

  /** Stores events as their process does: a row of consecutive events, numbered from `firstSeq`. */
  async function say(turnId: string, firstSeq: number, ...texts: string[]): Promise<void> {
    const chunks = JSON.stringify(texts.map((delta) => ({ type: 'text-delta', id: '1', delta })))
    await insertTurnEvents(database, 'other', [{ turnId, firstSeq, lastSeq: firstSeq + texts.length - 1, chunks }])
  }

  function end(turnId: string, text: string): Promise<boolean> {
    const metadata = { turnId, status: 'done' } as const
    const answer = { id: `a_${turnId}`, role: 'assistant' as const, parts: [{ type: 'text' as const, text }], metadata }
    return endTurn(database, turnId, { status: 'done', code: null, state: 'answered', usage: null, answer }, NOW)
  }

  /** Follows a turn and collects its events. */
  function follow(turnId: string, after = 0) {
    const leaving = new AbortController()
    const followed = remote.turn({ id: turnId, session: turnId.replace('t_', 's_') })
    const follower = { seqs: [] as number[], text: '', ended: Promise.resolve(), leave: () => leaving.abort() }
    follower.ended = (async () => {
      for await (const events of followed.follow(after, leaving.signal)) {
        for (const { seq, json } of events) {
          const { type, delta = '' } = JSON.parse(json) as { type: string; delta?: string }
          follower.seqs.push(seq)
          follower.text = type === 'start' ? '' : follower.text + delta
        }
      }
    })()
    return follower
  }

  test('are followed from any event, each event once and in order, even if a row is replaced by a longer one', async () => {
    const turn = await newTurn()
    await say(turn, 1, 'one ', 'two ')
    const [whole, late] = [follow(turn), follow(turn, 1)]
    await eventually(() => expect([whole.seqs, late.seqs]).toEqual([[1, 2], [2]]))
    await say(turn, 3, 'three ')
    await eventually(() => expect(whole.seqs).toEqual([1, 2, 3]))
    await say(turn, 3, 'three ', 'four ')
    await say(turn, 5, 'five')
    await eventually(() => expect([whole.text, late.text]).toEqual(['one two three four five', 'two three four five']))
    expect([whole.seqs, late.seqs]).toEqual([
      [1, 2, 3, 4, 5],
      [2, 3, 4, 5],
    ])
    whole.leave()
    late.leave()
    await Promise.all([whole.ended, late.ended])
  })

  test('restart as their stored answer when they end', async () => {
    const turn = await newTurn()
    await say(turn, 1, 'partly')
    const follower = follow(turn)
    const ended = remote.ended(turn, new AbortController().signal)
    await eventually(() => expect(follower.text).toBe('partly'))
    await end(turn, 'partly and whole')
    pubsub.publish(turnTopic(turn))
    await Promise.all([follower.ended, ended])
    expect(follower.text).toBe('partly and whole')
    expect(follower.seqs.slice(0, 2)).toEqual([1, FIRST_REPLAYED_SEQ])
    const later = follow(turn)
    await later.ended
    expect(later.text).toBe('partly and whole')
  })

  test('are read completely even if they exceed one read', async () => {
    const [long, short] = [await newTurn(), await newTurn()]
    const texts = Array.from({ length: 160 }, (_, index) => `${index}:`.padEnd(8000, 'x'))
    for (const [index, text] of texts.entries()) await say(long, index + 1, text)
    await say(short, 1, 'short')
    const followers = [follow(long), follow(short), follow(long, 155)]
    await eventually(() => expect(followers.map(({ seqs }) => seqs.length)).toEqual([160, 1, 5]))
    expect(followers[0]?.text).toBe(texts.join(''))
    expect(followers[2]?.text).toBe(texts.slice(155).join(''))
    for (const follower of followers) follower.leave()
    await Promise.all(followers.map(({ ended }) => ended))
  })

  test('are queried together, however many turns and followers there are', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, newTurn))
    const followers = many.flatMap((turn) => [follow(turn), follow(turn), follow(turn)])
    statements = 0
    for (const turn of many) await say(turn, 1, 'hello')
    pubsub.publish(...many.map(turnTopic))
    await eventually(() => expect(new Set(followers.map(({ text }) => text))).toEqual(new Set(['hello'])))
    expect(statements).toBeLessThan(many.length)
    for (const follower of followers) follower.leave()
    await Promise.all(followers.map(({ ended }) => ended))
  })

  test('that are deleted end their followers and whoever waits for their end', async () => {
    const turn = await newTurn()
    await say(turn, 1, 'gone soon')
    const follower = follow(turn)
    const ended = remote.ended(turn, new AbortController().signal)
    await eventually(() => expect(follower.text).toBe('gone soon'))
    await unrestricted(database).deleteFrom('sessions').where('id', '=', turn.replace('t_', 's_')).execute()
    await expect(follower.ended).rejects.toThrow('removed')
    await ended
  })
})
