import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { HeldDisk } from '../../../test/support/stalled-disk.ts'
import { startScriptedModel, type ScriptedModel } from '../../../test/support/scripted-model.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { Agents } from '../answering/agents/agents.ts'
import { PubSub } from '../pubsub/pubsub.ts'
import type { Database } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open-database.ts'
import { NodeSqliteDialect } from '../store/engine/sqlite.ts'
import { UNLIMITED } from '../../../test/support/unlimited.ts'
import { Sweeper } from './sweeper.ts'
import { Turns } from './turns.ts'

let disk: HeldDisk
let model: ScriptedModel
let database: Database
let agents: Agents
const faults: string[] = []

beforeEach(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-start-'))
  disk = new HeldDisk()
  model = await startScriptedModel()
  await (await openDatabase({ kind: 'sqlite', directory }, () => undefined)).destroy()
  database = new Kysely({ dialect: new NodeSqliteDialect(join(directory, 'parley.db'), disk) })
  agents = await Agents.open({
    directory: join(import.meta.dirname, '../../../agents'),
    model: { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' },
    knowledgeDirectory: join(import.meta.dirname, '../../../knowledge'),
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    onWarning: (message) => faults.push(message),
  })
  faults.length = 0
  return async () => {
    await model.close()
    await database.destroy()
    rmSync(directory, { recursive: true })
  }
})

/** Sends a prompt; resolves while its transaction waits for the disk and everything else has been done. */
async function prompted(prompt = 'Hello') {
  const onFault = (message: string) => void faults.push(message)
  const turns = new Turns({
    database,
    agents,
    pubsub: new PubSub(),
    instance: 'i',
    keys: ['k'.repeat(32)],
    now: Date.now,
    onFault,
  })
  const access = { owner: 'c', credential: true, now: Date.now(), retentionMs: 1_000_000 }
  const sender = { owner: 'c', access, newVisitor: null, openById: false }
  let isStarted = false
  const started = turns.start({ sender, agent: null, session: undefined, prompt, claim: null, ...UNLIMITED })
  started.then(
    () => (isStarted = true),
    () => undefined,
  )
  await eventually(() => expect(disk.waiting).toHaveLength(1))
  // Lets the event loop run everything that does not wait for the disk.
  for (let pass = 0; pass < 50; pass += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(isStarted).toBe(false)
  return { turns, started }
}

const storedEvents = () => database.selectFrom('turn_events').selectAll().execute()
const storedTurns = () => database.selectFrom('turns').select(['status', 'code']).execute()

test('requests the model only after the prompt is durable', async () => {
  const { turns, started } = await prompted()
  expect([model.requests.length, turns.count]).toEqual([0, 1])
  disk.isHeld = false
  disk.waiting[0]?.resolve()
  const outcome = await started
  if (outcome.kind !== 'started') throw new Error(outcome.kind)
  const { status, answer } = await outcome.turn.ended
  expect([status, textOf(answer), model.requests.length]).toEqual(['done', expect.stringContaining('Hello from the scripted model'), 1])
})

test('gives a fixed reply only after the prompt is durable', async () => {
  const { started } = await prompted('I want to kill myself')
  expect([await storedTurns(), await storedEvents()]).toEqual([[{ status: 'running', code: null }], []])
  disk.isHeld = false
  disk.waiting[0]?.resolve()
  const outcome = await started
  if (outcome.kind !== 'started') throw new Error(outcome.kind)
  expect(await outcome.turn.ended).toMatchObject({ status: 'done', state: 'referred' })
  expect(model.requests).toEqual([])
})

test.each(['Hello', 'I want to kill myself'])(
  'answers nothing to “%s” if the disk rejects it, and the sweeper ends its turn',
  async (prompt) => {
    const { turns, started } = await prompted(prompt)
    disk.isHeld = false
    disk.waiting[0]?.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
    await expect(started).rejects.toThrow('EIO')
    expect([model.requests.length, turns.count, faults]).toEqual([0, 0, []])
    expect(await storedEvents()).toEqual([])
    const slots = { instance: 'i', whileDead: async () => undefined }
    const onFault = (message: string) => void faults.push(message)
    await new Sweeper({ database, pubsub: new PubSub(), slots, turns, now: Date.now, onFault }).sweep()
    expect(await storedTurns()).toEqual([{ status: 'interrupted', code: 'shutting_down' }])
    await turns.drain(0)
    expect(faults).toEqual([])
  },
)

test('a shutdown waits for a prompt that is being stored, and for its answer', async () => {
  const { turns, started } = await prompted()
  let isDrained = false
  const drained = turns.drain(60_000).then(() => (isDrained = true))
  for (let pass = 0; pass < 50; pass += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(isDrained).toBe(false)
  disk.isHeld = false
  disk.waiting[0]?.resolve()
  const outcome = await started
  if (outcome.kind !== 'started') throw new Error(outcome.kind)
  expect(await outcome.turn.ended).toMatchObject({ status: 'done' })
  await drained
})

test('interrupts a turn that is committed after the server has interrupted the others', async () => {
  const { turns, started } = await prompted()
  turns.interrupt()
  model.script([{ silence: true }])
  disk.isHeld = false
  disk.waiting[0]?.resolve()
  const outcome = await started
  if (outcome.kind !== 'started') throw new Error(outcome.kind)
  expect(await outcome.turn.ended).toMatchObject({ status: 'interrupted', code: 'shutting_down' })
})
