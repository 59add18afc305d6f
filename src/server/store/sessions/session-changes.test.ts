import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { Database } from '../engine/database.ts'
import { openDatabase } from '../engine/open-database.ts'
import { listStopRequests, requestStop } from '../turns/remote-turns.ts'
import { digestOwners, listExistingIds, listSessionsChangedSince } from './session-changes.ts'
import { endTurn } from '../turns/turn-ends.ts'
import { insertPrompt } from '../turns/turns.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-session-changes-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
})
afterAll(async () => {
  await database.destroy()
  rmSync(directory, { recursive: true })
})

const ANSWER: ChatMessage = { id: 'answer', role: 'assistant', parts: [] }

const store = (name: string, owner: string, { instance = 'here', now = 1 } = {}) =>
  insertPrompt(database, {
    id: `t_${name}`,
    instance,
    now,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    message: { id: `m_${name}`, role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    continues: null,
    newSession: { id: name, owner, agent: 'assistant', title: name, openById: false },
    newVisitor: null,
  })

test('digests are of the given owners only, and change with each session', async () => {
  await store('one', 'c_one')
  await store('other', 'c_other')
  const [before, ...others] = await digestOwners(database, ['c_one', 'c_without'])
  expect(before).toEqual({ owner: 'c_one', digest: expect.any(String) })
  expect(others).toEqual([])
  await store('two', 'c_one')
  const [after] = await digestOwners(database, ['c_one'])
  expect(after?.digest).not.toBe(before?.digest)
})

test('the sessions used since a time are the newest of all owners, up to the limit', async () => {
  await store('before', 'c_before', { now: 1_000 })
  await store('first', 'c_first', { now: 1_001 })
  await store('second', 'c_second', { now: 1_002 })
  const idsOf = async (limit: number) => (await listSessionsChangedSince(database, 1_000, limit)).map(({ id }) => id)
  expect(await idsOf(10)).toEqual(['second', 'first'])
  expect(await idsOf(1)).toEqual(['second'])
})

test('the stamp of a session changes when its turn ends', async () => {
  await store('stamped', 'c_stamped', { now: 2_000 })
  const stamps = () => listSessionsChangedSince(database, 1_999, 10)
  const [running] = await stamps()
  expect(running).toEqual({ id: 'stamped', owner: 'c_stamped', stamp: '2000 t_stamped' })
  await endTurn(database, 't_stamped', { status: 'stopped', code: null, state: 'answered', usage: null, answer: ANSWER }, 2_000)
  const [ended] = await stamps()
  expect(ended?.stamp).toBe('2000 ')
})

test('the sessions that still exist are those of the owner', async () => {
  await store('mine', 'c_mine')
  await store('theirs', 'c_theirs')
  expect(await listExistingIds(database, 'c_mine', ['mine', 'theirs', 'deleted'])).toEqual(new Set(['mine']))
  await store('unasked', 'c_mine')
  expect(await listExistingIds(database, 'c_mine', ['mine'])).toEqual(new Set(['mine']))
  expect(await listExistingIds(database, 'c_mine', [])).toEqual(new Set())
})

test('a process reads the stop requests of its own running turns', async () => {
  await store('stopped', 'c_stops', { instance: 'this' })
  await store('running', 'c_stops', { instance: 'this' })
  await store('elsewhere', 'c_stops', { instance: 'other' })
  await store('ended', 'c_stops', { instance: 'this' })
  for (const turn of ['t_stopped', 't_elsewhere', 't_ended']) await requestStop(database, turn)
  await endTurn(
    database,
    't_ended',
    { status: 'stopped', code: null, state: 'answered', usage: null, answer: { ...ANSWER, id: 'other answer' } },
    2,
  )
  expect(await listStopRequests(database, 'this')).toEqual(['t_stopped'])
  await requestStop(database, 't_ended')
  expect(await listStopRequests(database, 'other')).toEqual(['t_elsewhere'])
})
