import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ChatChunk } from '../../src/contract/chat/message.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { MessageBuilder } from '../../src/contract/chat/message-builder.ts'
import type { Agent } from '../../src/server/answering/agents/agent.ts'
import { AgentPolicy } from '../../src/server/replies/agent-policy.ts'
import { NO_POLICY } from '../../src/server/replies/policy.ts'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { endAbandonedTurn, findEnd } from '../../src/server/store/turns/turn-ends.ts'
import { ProcessSlots } from '../../src/server/turns/process-slots.ts'
import { Sweeper } from '../../src/server/turns/sweeper.ts'
import { UNLIMITED } from '../support/unlimited.ts'
import type { FollowedTurn } from '../../src/server/turns/started-turn.ts'
import { Turns } from '../../src/server/turns/turns.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { createMigratedDatabase } from '../support/postgres.ts'

const NOW = Date.UTC(2026, 10, 21)
const never = new AbortController().signal

describe.each(BOTH_DATABASES)('the end of a turn on %s', (kind) => {
  let database: Database
  let directory: string
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-ends-'))
    const created = kind === 'postgres' ? await createMigratedDatabase() : null
    database = await openDatabase(
      created ? { kind: 'postgres', url: created.url, connections: 10, timeoutMs: 20_000 } : { kind: 'sqlite', directory },
      () => undefined,
    )
    return async () => {
      await database.destroy()
      await created?.drop()
      rmSync(directory, { recursive: true })
    }
  })

  /** A process with one turn that writes on command, until it is ended. */
  async function runningTurn() {
    const said: ChatChunk[] = [{ type: 'text-start', id: '1' }]
    let heard = Promise.withResolvers<void>()
    const agent = {
      policy: new AgentPolicy(NO_POLICY, null),
      modelOf: () => ({ label: 'Test', provider: null, name: 'test' }),
      async *run({ signal }: { signal: AbortSignal }) {
        signal.addEventListener('abort', () => heard.resolve())
        while (!signal.aborted) {
          yield* said.splice(0)
          await heard.promise
          heard = Promise.withResolvers<void>()
        }
      },
      completionOf: () => null,
    } as unknown as Agent
    const slots = await ProcessSlots.take(directory)
    onTestFinished(() => slots.release())
    const pubsub = new PubSub()
    const faults: string[] = []
    const shared = { database, pubsub, now: () => NOW, onFault: (message: string) => void faults.push(message) }
    const agents = { first: agent, find: () => agent, notReady: () => null }
    const turns = new Turns({ ...shared, agents, instance: slots.instance, keys: ['k'.repeat(32)] })
    const sweeper = new Sweeper({ ...shared, slots, turns })
    const access = { owner: 'v', credential: true, now: NOW, retentionMs: 1_000_000 }
    const started = await turns.start({
      sender: { owner: 'v', access, newVisitor: null, openById: false },
      agent: 'assistant',
      session: undefined,
      prompt: 'hi',
      claim: null,
      ...UNLIMITED,
    })
    if (started.kind === 'rejected') throw new Error(started.code)
    const say = async (text: string) => {
      said.push({ type: 'text-delta', id: '1', delta: text })
      heard.resolve()
      await expect.poll(() => shownOf(started.turn)).toContain(text)
    }
    return { turn: started.turn, turns, sweeper, say, faults }
  }

  /** Everything that a reader is shown now, without waiting. */
  async function shownOf(turn: FollowedTurn): Promise<string> {
    const builder = new MessageBuilder()
    const leaving = new AbortController()
    const batches = turn.follow(0, leaving.signal)
    leaving.abort()
    for await (const events of batches) for (const { json } of events) builder.apply(JSON.parse(json) as ChatChunk)
    return textOf(builder.message)
  }

  async function readToTheEnd(turn: FollowedTurn) {
    const builder = new MessageBuilder()
    for await (const events of turn.follow(0, never)) for (const { json } of events) builder.apply(JSON.parse(json) as ChatChunk)
    return builder.message
  }

  test('that another process has stored is also what this one reports', async () => {
    const { turn, turns, say } = await runningTurn()
    await say('Shown')
    const reading = readToTheEnd(turn)
    await endAbandonedTurn(database, turn.id, { status: 'interrupted', code: 'shutting_down', answerId: 'a' }, NOW)
    turns.interrupt()
    expect(await turn.ended).toMatchObject({ status: 'interrupted', code: 'shutting_down' })
    const message = await reading
    expect([textOf(message), message.metadata?.status]).toEqual(['Shown', 'interrupted'])
    expect(message.parts).toEqual((await findEnd(database, turn.id))?.answer.parts)
  })

  test('that another process has stored and that cannot be read is reported as interrupted', async () => {
    const { turn, turns, say, faults } = await runningTurn()
    await say('Shown')
    await endAbandonedTurn(database, turn.id, { status: 'interrupted', code: 'shutting_down', answerId: 'a' }, NOW)
    await database.schema.alterTable('messages').renameTo('messages_elsewhere').execute()
    turns.interrupt()
    expect(await turn.ended).toMatchObject({ status: 'interrupted', code: 'storage_unavailable' })
    expect(faults).toEqual(['Reading the end of a turn failed; reporting it as interrupted'])
    await database.schema.alterTable('messages_elsewhere').renameTo('messages').execute()
    expect(textOf(await readToTheEnd(turn))).toBe('Shown')
  })

  test('that its deletion has made impossible is reported as interrupted', async () => {
    const { turn, turns, say } = await runningTurn()
    await say('Shown')
    await unrestricted(database).deleteFrom('sessions').where('id', '=', turn.sessionId).execute()
    turns.interrupt()
    expect(await turn.ended).toMatchObject({ status: 'interrupted', code: 'not_found' })
  })

  test('that cannot be stored at first is stored when the database accepts it', async () => {
    const { turn, turns, say, faults } = await runningTurn()
    await say('Shown')
    await database.schema.alterTable('messages').renameTo('messages_elsewhere').execute()
    turns.interrupt()
    await expect.poll(() => faults).toHaveLength(1)
    await database.schema.alterTable('messages_elsewhere').renameTo('messages').execute()
    expect(await turn.ended).toMatchObject({ status: 'interrupted', code: 'shutting_down' })
    expect(faults).toEqual(['Storing the end of a turn failed; retrying'])
    expect(await findEnd(database, turn.id)).toMatchObject({ status: 'interrupted', code: 'shutting_down' })
  })

  test('that cannot be stored is reported as interrupted, and stored by the sweeper when possible', async () => {
    const { turn, turns, sweeper, say } = await runningTurn()
    await say('Shown')
    const reading = readToTheEnd(turn)
    await database.schema.alterTable('messages').renameTo('messages_elsewhere').execute()
    await turns.drain(0)
    expect(await turn.ended).toMatchObject({ status: 'interrupted', code: 'storage_unavailable' })
    expect((await reading).metadata).toMatchObject({ status: 'interrupted', code: 'storage_unavailable' })
    await database.schema.alterTable('messages_elsewhere').renameTo('messages').execute()
    expect(await findEnd(database, turn.id)).toBeUndefined()
    await sweeper.sweep()
    const end = await findEnd(database, turn.id)
    expect([end?.status, end && textOf(end.answer)]).toEqual(['interrupted', 'Shown'])
  })
})
