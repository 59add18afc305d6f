import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { accessOf, say, scriptedAgent, scriptedTurns, startedTurn } from '../../../test/support/scripted-turns.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { AgentFailure } from '../answering/agents/agent.ts'
import { deleteStop, insertStop, type Stop } from '../store/staff/stops.ts'
import { UNLIMITED } from '../../../test/support/unlimited.ts'
import type { TurnsOptions } from './turns.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

const turnsOf = (script: Parameters<typeof scriptedTurns>[1]) => scriptedTurns(opened.database, script)

test('a prompt is moderated before it is stored, unless it got a reply at its arrival, which is its answer', async () => {
  const checked: string[] = []
  const moderator: TurnsOptions['moderator'] = {
    check: async (text) => {
      checked.push(text)
      return 'blocked'
    },
  }
  const { turns, start, started } = turnsOf({ moderator })
  expect(await start('Hi')).toMatchObject({ kind: 'rejected', code: 'prompt_blocked' })
  const reply = { kind: 'emergency', text: 'Call 112.', state: 'referred' } as const
  const { status, state, answer } = await (await started('Help', { reply })).ended
  expect([status, state, textOf(answer)]).toEqual(['done', 'referred', 'Call 112.'])
  expect(checked).toEqual(['Hi'])
  await turns.drain(0)
})

test('the end of each turn is reported with its model and agent', async () => {
  const reported: unknown[] = []
  const { turns, started } = turnsOf({ onTurnEnd: ({ end: { status }, model, agent: { id } }) => reported.push([status, model, id]) })
  await (await started()).ended
  await turns.drain(0)
  expect(reported).toEqual([['done', 'primary', 'assistant']])
})

test('a running answer ends when staff stop its agent', async () => {
  const { turns, started } = turnsOf({
    async *run({ signal }) {
      yield* say('Hello')
      await once(signal, 'abort')
    },
  })
  const turn = await started()
  const stop: Stop = { id: 'stop', scope: 'agent', target: 'assistant', examples: [], reply: null, reason: 'A test', createdAt: 0 }
  await insertStop(opened.database, stop)
  expect(await turn.ended).toMatchObject({ status: 'interrupted', code: 'suspended' })
  await deleteStop(opened.database, stop.id)
  await turns.drain(0)
})

const holdTimers = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a process without turns does nothing', async () => {
  holdTimers()
  const { turns, started } = turnsOf({})
  await (await started()).ended
  for (let second = 0; second < 3; second += 1) await vi.advanceTimersByTimeAsync(1_000)
  expect([turns.count, vi.getTimerCount()]).toEqual([0, 0])
  await turns.drain(0)
})

test('a shutdown leaves nothing that runs', async () => {
  holdTimers()
  const released = Promise.withResolvers<void>()
  const { turns, started } = turnsOf({
    async *run() {
      await released.promise
      yield* say('Hello')
    },
  })
  const elsewhere = turnsOf({ instance: 'other' })
  const turn = await started()
  const followed = await elsewhere.turns.follow(accessOf('v'), turn.id)
  const events = followed.kind === 'following' ? followed.following(0, new AbortController().signal) : null
  const before = vi.getTimerCount()
  const read = events?.next()
  expect(vi.getTimerCount()).toBe(before + 1)
  await elsewhere.turns.drain(60_000)
  expect(vi.getTimerCount()).toBe(before)
  released.resolve()
  await turn.ended
  await turns.drain(60_000)
  // The writer's last timer finds nothing to write.
  await vi.advanceTimersByTimeAsync(1_000)
  expect([read, vi.getTimerCount()]).toEqual([expect.any(Promise), 0])
})

test.each([
  ['storage_full', Object.assign(new Error('no room'), { code: 'ENOSPC' })],
  ['model_timeout', new AgentFailure('model_timeout', 'late')],
  ['internal', new Error('unexpected')],
] as const)('a failed answer ends its turn with %s', async (code, cause) => {
  const faults: unknown[] = []
  const { turns, started } = turnsOf({
    // oxlint-disable-next-line require-yield -- fails before the first word
    async *run() {
      throw cause
    },
    onFault: (_, fault) => faults.push(fault),
  })
  expect(await (await started()).ended).toMatchObject({ status: 'failed', code })
  expect(faults).toEqual([cause])
  await turns.drain(0)
})

test('a prompt for a named agent is answered by that, and one for another by the first', async () => {
  const other = scriptedAgent({ run: () => say('The cook') }).agent
  const { agent: first } = scriptedAgent({ run: () => say('The assistant') })
  const { turns } = turnsOf({
    agents: { first, find: (id) => (id === 'cook' ? other : undefined), notReady: () => null },
    moderator: { check: async () => 'allowed' },
  })
  const textFor = async (named: string | null) => {
    const sender = { owner: 'v', access: accessOf('v'), newVisitor: null, openById: false }
    const { answer } = await startedTurn(
      await turns.start({ sender, agent: named, session: undefined, prompt: 'Hi', claim: null, ...UNLIMITED }),
    ).ended
    return textOf(answer)
  }
  expect([await textFor('cook'), await textFor(null), await textFor('gone')]).toEqual(['The cook', 'The assistant', 'The assistant'])
  await turns.drain(0)
})

test('a prompt is rejected while its agent is not ready', async () => {
  const { agent } = scriptedAgent({})
  const { start } = turnsOf({
    agents: { first: agent, find: () => agent, notReady: () => ({ code: 'model_loading', percent: 50, retryAfterS: 9 }) },
  })
  expect(await start()).toMatchObject({ kind: 'rejected', code: 'model_loading', percent: 50, retryAfterS: 9 })
})

test('a turn that starts after all were interrupted is interrupted too', async () => {
  const { turns, started } = turnsOf({
    async *run({ signal }) {
      yield* say('Hello')
      if (!signal.aborted) await once(signal, 'abort')
    },
  })
  turns.interrupt()
  expect(await (await started()).ended).toMatchObject({ status: 'interrupted', code: 'shutting_down' })
  await turns.drain(0)
})
