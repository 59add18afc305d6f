import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { Agent } from '../agent/agent.ts'
import { PubSub } from '../pubsub/pubsub.ts'
import { UNLIMITED } from './model-budget.ts'
import { Turns } from './turns.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

/** Runs a turn to its end; returns how often a model was wanted for the chat's sake afterwards. */
async function completionsAfter({ temporary }: { temporary: boolean }): Promise<number> {
  let wanted = 0
  const agent = {
    id: 'assistant',
    model: { label: 'Test', provider: null },
    async *run() {
      yield { type: 'text-delta', id: '1', delta: 'Hello' }
    },
    backgroundCompletionOf: () => {
      wanted += 1
      return null
    },
  } as unknown as Agent
  const turns = new Turns({
    database: opened.database,
    agents: { first: agent, find: () => agent, notReady: () => null },
    pubsub: new PubSub(),
    instance: 'i',
    installationKey: 'k'.repeat(32),
    titles: 'model',
    now: () => 0,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
  const owner = temporary ? 'temporary' : 'lasting'
  const sender = { owner, access: { owner, credential: true, now: 0, retentionMs: 1_000_000 }, newVisitor: null, openById: false }
  const request = { claim: null, ...UNLIMITED, ...(temporary && { temporary: { history: [] } }) }
  const started = await turns.start(sender, null, undefined, 'Hi', request)
  if (started.kind !== 'started') throw new Error(JSON.stringify(started))
  expect(await started.turn.ended).toMatchObject({ status: 'done' })
  await turns.drain(0)
  return wanted
}

test('the model gives a stored chat a title and summaries, and a temporary one none', async () => {
  expect(await completionsAfter({ temporary: false })).toBeGreaterThan(0)
  expect(await completionsAfter({ temporary: true })).toBe(0)
})
