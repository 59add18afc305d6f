import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import { Semaphore } from '../../async/semaphore.ts'
import type { ChatChunk } from '../../contract/chat/message.ts'
import type { Agent, DecidedCall } from '../answering/agents/agent.ts'
import { LogWriter, type LossReason, MAX_BUFFERED_MS } from './log/log-writer.ts'
import { type History, RunningTurn, type RunningTurnOptions } from './running-turn.ts'

const CUT_OFF = { status: 'interrupted', code: 'storage_unavailable' }

const WORD: ChatChunk[] = [{ type: 'text-delta', id: '1', delta: 'word' }]

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

interface Circumstances extends Partial<Pick<RunningTurnOptions, 'givingUp' | 'ends' | 'route'>> {
  failingForMs?: number
  chunks?: Iterable<ChatChunk> | AsyncIterable<ChatChunk>
  history?: Partial<History>
  read?: () => Promise<History>
}

/** A turn that answers with these chunks, and whose end cannot be stored. */
async function turnWithoutDatabase({
  failingForMs = 0,
  givingUp = new AbortController().signal,
  ends = new Semaphore(1),
  chunks = WORD,
  history = {},
  read = async () => ({ messages: [], continues: false, ...history }),
  route = () => undefined,
}: Circumstances = {}) {
  const { database, remove } = await openTestDatabase('sqlite')
  await remove()
  const agent = {
    id: 'test',
    modelOf: () => ({ label: 'Test', provider: null, name: 'test' }),
    fallback: null,
    async *run() {
      yield* chunks
    },
  } as unknown as Agent
  const writer = new FailingWriter(failingForMs)
  const refused = Promise.withResolvers<void>()
  const faults: string[] = []
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
    decide: async (_prompt, onDecided) => {
      onDecided()
      return { reply: null, files: [] }
    },
    ends,
    requestApproval: undefined,
    now: () => 0,
    givingUp,
    route,
    onFault: (message) => {
      faults.push(message)
      refused.resolve()
    },
  })
  turn.begin(read)
  return { turn, writer, refused: refused.promise, faults }
}

test('stores its end when there is a slot', async () => {
  const ends = new Semaphore(1)
  const release = await ends.acquire()
  const { turn, faults } = await turnWithoutDatabase({ failingForMs: MAX_BUFFERED_MS, ends })
  await expect.poll(() => ends.waiting).toBe(1)
  expect(faults).toEqual([])
  release()
  expect(await turn.ended).toMatchObject(CUT_OFF)
  expect(faults).not.toEqual([])
})

test('reports an end that waits for a slot when the server stops retrying', async () => {
  const [ends, givingUp] = [new Semaphore(1), new AbortController()]
  await ends.acquire()
  const { turn } = await turnWithoutDatabase({ ends, givingUp: givingUp.signal })
  await expect.poll(() => ends.waiting).toBe(1)
  givingUp.abort()
  expect(await turn.ended).toMatchObject(CUT_OFF)
})

test('reports an end that cannot be stored after a minute without a database', async () => {
  const { turn, faults } = await turnWithoutDatabase({ failingForMs: MAX_BUFFERED_MS })
  expect(await turn.ended).toMatchObject(CUT_OFF)
  expect(faults).toEqual(['Storing the end of a turn failed; retrying'])
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

test('concerns the knowledge files of its sources and searches', async () => {
  const { turn, refused } = await turnWithoutDatabase({
    chunks: [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: {}, dynamic: true },
      {
        type: 'tool-output-available',
        toolCallId: 'c',
        output: { passages: [{ file: 'found.md' }, { text: 'no file' }, 'no passage', null] },
        dynamic: true,
      },
      { type: 'source-document', sourceId: 's', mediaType: 'text/markdown', title: 'Fees', filename: 'cited.md' },
      { type: 'source-document', sourceId: 'n', mediaType: 'text/markdown', title: 'No file' },
    ],
  })
  await refused
  expect(turn.concerns).toMatchObject({ agent: 'test', files: ['cited.md', 'found.md'] })
})

test('the time to the first words is not that of a tool call', async () => {
  const [call, words] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { turn, refused } = await turnWithoutDatabase({
    chunks: (async function* () {
      yield { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: {}, dynamic: true } as const
      call.resolve()
      await words.promise
      yield* WORD
    })(),
  })
  await call.promise
  expect(turn.firstTextMs).toBeNull()
  words.resolve()
  await refused
  expect(turn.firstTextMs).toBeLessThanOrEqual(turn.elapsedMs)
})

test.each<[what: string, history: Partial<History>, isRouted: boolean]>([
  ['a prompt', {}, true],
  ['a decision about tool calls', { decided: [{} as DecidedCall] }, false],
  ['an answer that is continued', { continues: true }, false],
])('a model may decide who answers %s: %j, %j', async (_, history, isRouted) => {
  let routed = 0
  const { refused } = await turnWithoutDatabase({
    history,
    route: () => {
      routed += 1
      return undefined
    },
  })
  await refused
  expect(routed).toBe(isRouted ? 1 : 0)
})

test('reads the chat again when the database went away after the prompt was stored', async () => {
  let reads = 0
  const { turn, faults, refused } = await turnWithoutDatabase({
    read: async () => {
      reads += 1
      if (reads === 1) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
      return { messages: [], continues: false }
    },
  })
  await refused
  expect([reads, turn.concerns !== null, faults]).toEqual([2, true, ['Storing the end of a turn failed; retrying']])
})
