import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import { ownerTopic, turnTopic } from '../../src/server/pubsub/topics.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { recordHeartbeat } from '../../src/server/store/turns/processes.ts'
import { insertTurnEvents, listTurnEvents } from '../../src/server/store/turns/turn-events.ts'
import { endTurn, type EndedSession, findEnd } from '../../src/server/store/turns/turn-ends.ts'
import { insertPrompt } from '../../src/server/store/turns/turns.ts'
import { ProcessSlots } from '../../src/server/turns/process-slots.ts'
import { Sweeper, type SweeperOptions } from '../../src/server/turns/sweeper.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const NOW = Date.UTC(2026, 10, 21)
const SWEEP_INTERVAL_MS = 5_000

describe.each(BOTH_DATABASES)('turns without a process, on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  const folder = () => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-sweeper-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    return directory
  }
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  let turns = 0

  /** A running turn of `instance`, and its text so far. */
  async function runningTurn(instance: string, ...said: string[]): Promise<string> {
    turns += 1
    const id = `t_${turns}`
    const message = { id: `m_${turns}`, role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }
    const newSession = { id: `s_${turns}`, owner: 'v', agent: 'assistant', title: 'hi', openById: false }
    await insertPrompt(database, {
      id,
      instance,
      now: NOW,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
      message,
      continues: null,
      newSession,
      newVisitor: null,
    })
    const chunks = [
      { type: 'start', messageId: `a_${turns}` },
      { type: 'text-start', id: '1' },
      ...said.map((text) => ({ type: 'text-delta', id: '1', delta: text })),
    ]
    const rows = chunks.map((chunk, index) => ({ turnId: id, firstSeq: index + 1, lastSeq: index + 1, chunks: JSON.stringify([chunk]) }))
    await insertTurnEvents(database, instance, rows)
    return id
  }

  /** A sweeper in a process of its own, and its clock. */
  async function sweeperOf(directory: string, runs: (turnId: string) => boolean = () => false, change: Partial<SweeperOptions> = {}) {
    const slots = await ProcessSlots.take(directory)
    onTestFinished(() => slots.release())
    let time = 0
    const options = { database, slots, turns: { runs, count: 1 }, now: () => NOW, clock: () => time }
    const sweeper = new Sweeper({ ...options, pubsub: new PubSub(), onFault: (message) => expect.fail(message), ...change })
    const sweepAfter = async (ms: number) => {
      time += ms
      await sweeper.sweep()
    }
    return { slots, sweeper, sweepAfter }
  }

  const statusOf = async (id: string) => (await findEnd(database, id))?.status ?? 'running'

  test('are ended when their process restarts, with the stored part of the answer, and leave nothing in the log', async () => {
    const directory = folder()
    const earlier = await ProcessSlots.take(directory)
    const id = await runningTurn(earlier.instance, 'Half an ', 'answer')
    earlier.release()
    const { sweeper } = await sweeperOf(directory)
    await sweeper.begin()
    const end = await findEnd(database, id)
    expect(end).toMatchObject({ status: 'interrupted', answer: { metadata: { turnId: id, status: 'interrupted' } } })
    expect(end && textOf(end.answer)).toBe('Half an answer')
    expect(JSON.stringify(end?.answer.parts)).not.toContain('streaming')
    expect(await listTurnEvents(database, id, 0, 1_000)).toEqual([])
  })

  test('of a dead process of the same folder are ended at once, those of a living one are not', async () => {
    const directory = folder()
    const living = await ProcessSlots.take(directory)
    const dead = await ProcessSlots.take(directory)
    const { sweepAfter } = await sweeperOf(directory)
    const ids = [await runningTurn(living.instance), await runningTurn(dead.instance)]
    dead.release()
    await sweepAfter(0)
    expect(await Promise.all(ids.map(statusOf))).toEqual(['running', 'interrupted'])
    living.release()
  })

  test('have no heartbeat: a process sends one while it has turns', async () => {
    const beatsOf = async (count: number) => {
      const { sweeper, slots } = await sweeperOf(folder(), undefined, { turns: { runs: () => true, count } })
      await sweeper.sendHeartbeat()
      return database.selectFrom('processes').select('heartbeat').where('id', '=', slots.instance).execute()
    }
    expect([await beatsOf(0), (await beatsOf(1)).length]).toEqual([[], 1])
  })

  test('of remote processes are ended when their heartbeat has not changed for 30 observed seconds', async () => {
    const { sweepAfter } = await sweeperOf(folder())
    const [silent, alive] = [await runningTurn('far-1', 'x'), await runningTurn('far-2')]
    await recordHeartbeat(database, 'far-1')
    await sweepAfter(0)
    for (let waited = 0; waited < 25_000; waited += SWEEP_INTERVAL_MS) {
      await recordHeartbeat(database, 'far-2')
      await sweepAfter(SWEEP_INTERVAL_MS)
    }
    expect(await statusOf(silent)).toBe('running')
    await recordHeartbeat(database, 'far-2')
    await sweepAfter(SWEEP_INTERVAL_MS)
    expect([await statusOf(silent), await statusOf(alive)]).toEqual(['interrupted', 'running'])
  })

  test('are not ended because this process could not poll for an hour', async () => {
    const { sweepAfter } = await sweeperOf(folder())
    const id = await runningTurn('far-3')
    await sweepAfter(0)
    await sweepAfter(60 * 60 * 1000)
    await sweepAfter(SWEEP_INTERVAL_MS)
    expect(await statusOf(id)).toBe('running')
  })

  test('of a process that had none meanwhile are observed anew', async () => {
    const { sweepAfter } = await sweeperOf(folder())
    const first = await runningTurn('far-4')
    await sweepAfter(0)
    for (let waited = 0; waited < 25_000; waited += SWEEP_INTERVAL_MS) await sweepAfter(SWEEP_INTERVAL_MS)
    const answer = { id: `a_${first}`, role: 'assistant' as const, parts: [], metadata: { turnId: first } }
    await endTurn(database, first, { status: 'done', code: null, state: 'answered', usage: null, answer }, NOW)
    await sweepAfter(SWEEP_INTERVAL_MS)
    const second = await runningTurn('far-4')
    await sweepAfter(SWEEP_INTERVAL_MS)
    expect(await statusOf(second)).toBe('running')
  })

  test('of a dead process are all ended, however many', async () => {
    const directory = folder()
    const dead = await ProcessSlots.take(directory)
    const { sweepAfter } = await sweeperOf(directory)
    const ids = await Promise.all(Array.from({ length: 41 }, () => runningTurn(dead.instance)))
    dead.release()
    await sweepAfter(0)
    expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['interrupted']))
  })

  test('of this process are ended when it does not know them', async () => {
    const own = new Set<string>()
    const { slots, sweepAfter } = await sweeperOf(folder(), (id) => own.has(id))
    const [known, stray] = [await runningTurn(slots.instance), await runningTurn(slots.instance)]
    own.add(known)
    await sweepAfter(0)
    expect([await statusOf(known), await statusOf(stray)]).toEqual(['running', 'interrupted'])
  })

  test('end once, even with several sweepers', async () => {
    const directory = folder()
    const [pubsub, notified, reported] = [new PubSub(), vi.fn<() => void>(), vi.fn<(session: EndedSession) => void>()]
    const change = { pubsub, onTurnEnd: reported }
    const [one, two] = [await sweeperOf(directory, undefined, change), await sweeperOf(directory, undefined, change)]
    const id = await runningTurn(one.slots.instance, 'said')
    for (const topic of [turnTopic(id), ownerTopic('v')]) pubsub.subscribe(topic, notified)
    await Promise.all([one.sweepAfter(0), two.sweepAfter(0)])
    expect(notified).toHaveBeenCalledTimes(2)
    expect(reported.mock.calls).toMatchObject([[{ owner: 'v' }]])
    const answers = await database.selectFrom('messages').selectAll().where('turn_id', '=', id).execute()
    expect(answers).toHaveLength(1)
  })

  test.runIf(kind === 'postgres')('do not delay the text of others while they are being ended', async () => {
    const [beingEnded, other] = [await runningTurn('here'), await runningTurn('here')]
    const rows = [beingEnded, other].map((turnId) => ({ turnId, firstSeq: 3, lastSeq: 3, chunks: '[{"type":"text-end","id":"1"}]' }))
    await database.transaction().execute(async (transaction) => {
      await transaction.updateTable('turns').set({ status: 'done' }).where('id', '=', beingEnded).execute()
      expect(await insertTurnEvents(database, 'here', rows)).toEqual({ gone: new Set(), locked: new Set([beingEnded]) })
    })
    expect(await insertTurnEvents(database, 'here', rows)).toEqual({ gone: new Set([beingEnded]), locked: new Set() })
    expect(await listTurnEvents(database, other, 2, 1_000)).toHaveLength(1)
  })

  test('accept no events after their end, and a repeated write changes nothing', async () => {
    const [ended, running] = [await runningTurn('here'), await runningTurn('here', 'a')]
    const answer = { id: 'a', role: 'assistant' as const, parts: [], metadata: { turnId: ended } }
    await endTurn(database, ended, { status: 'done', code: null, state: 'answered', usage: null, answer }, NOW)
    const row = (turnId: string, firstSeq: number, ...texts: string[]) => {
      const chunks = JSON.stringify(texts.map((text) => ({ type: 'text-delta', id: '1', delta: text })))
      return { turnId, firstSeq, lastSeq: firstSeq + texts.length - 1, chunks }
    }
    expect(await insertTurnEvents(database, 'here', [row(ended, 3, 'x'), row(running, 4, 'b', 'c')])).toEqual({
      gone: new Set([ended]),
      locked: new Set(),
    })
    expect(await insertTurnEvents(database, 'here', [row(running, 4, 'b')])).toEqual({ gone: new Set(), locked: new Set() })
    expect(await insertTurnEvents(database, 'elsewhere', [row(running, 6, 'd')])).toEqual({ gone: new Set([running]), locked: new Set() })
    const events = await listTurnEvents(database, running, 3, 1_000)
    expect(events.map(({ seq, json }) => [seq, (JSON.parse(json) as { delta: string }).delta])).toEqual([
      [4, 'b'],
      [5, 'c'],
    ])
    expect(await listTurnEvents(database, ended, 0, 1_000)).toEqual([])
  })
})
