import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import type { Agent } from '../agent/agent.ts'
import { LogWriter, type LossReason, MAX_BUFFERED_MS } from './log-writer.ts'
import { RunningTurn } from './running-turn.ts'

const CUT_OFF = { status: 'interrupted', code: 'storage_unavailable' }

/** A writer whose database has accepted nothing for some time, and which can abandon a turn. */
class FailingWriter extends LogWriter {
  readonly #failingForMs: number
  giveUp: (why: LossReason) => void = () => undefined

  constructor(failingForMs: number) {
    super({ write: () => Promise.reject(new Error('away')), onFault: () => undefined })
    this.#failingForMs = failingForMs
  }

  override get failingSince() {
    return performance.now() - this.#failingForMs
  }

  override open(turnId: string, onLost: (why: LossReason) => void) {
    this.giveUp = onLost
    return super.open(turnId, onLost)
  }
}

/** A turn that answers with one word, and whose end cannot be stored. */
async function turnWithoutDatabase({ failingForMs = 0, givingUp = new AbortController().signal } = {}) {
  const { database, remove } = await openTestDatabase('sqlite')
  await remove()
  const agent = {
    model: { label: 'Test', provider: null },
    fallback: null,
    async *run() {
      yield { type: 'text-delta', id: '1', delta: 'word' }
    },
  } as unknown as Agent
  const writer = new FailingWriter(failingForMs)
  const refused = Promise.withResolvers<void>()
  const turn = new RunningTurn({
    id: 't',
    sessionId: 's',
    promptId: 'p',
    answerId: 'a',
    budget: { model: 'primary', reservations: [], allowance: undefined },
    writer,
    stored: { events: async () => [], answer: async () => undefined },
    database,
    agent,
    requestApproval: undefined,
    now: () => 0,
    givingUp,
    onFault: () => refused.resolve(),
  })
  turn.begin(async () => ({ messages: [], continues: false }))
  return { turn, writer, refused: refused.promise }
}

test('reports an end that cannot be stored after a minute without a database', async () => {
  const { turn } = await turnWithoutDatabase({ failingForMs: MAX_BUFFERED_MS })
  expect(await turn.ended).toMatchObject(CUT_OFF)
})

test('reports an end that cannot be stored when the writer has abandoned the turn', async () => {
  const { turn, writer, refused } = await turnWithoutDatabase()
  await refused
  writer.giveUp('not-stored')
  expect(await turn.ended).toMatchObject(CUT_OFF)
})

test('reports an end that cannot be stored when the server stops retrying', async () => {
  const givingUp = new AbortController()
  const { turn, refused } = await turnWithoutDatabase({ givingUp: givingUp.signal })
  await refused
  givingUp.abort()
  expect(await turn.ended).toMatchObject(CUT_OFF)
})
