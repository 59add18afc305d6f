import { afterEach, beforeEach, expect, test } from 'vitest'
import { say, type Script, scriptedAgent } from '../../../test/support/scripted-turns.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import { DEFAULT_PERSONAL_DATA_RULES } from '../../personal-data/kinds.ts'
import { AgentFailure, type AnswerRequest } from '../answering/agents/agent.ts'
import { readAccounts } from '../store/turns/budgets.ts'
import { insertStop, type Stop } from '../store/staff/stops.ts'
import { TrialAnswers, type TrialAnswersOptions } from './trial-answers.ts'

const never = new AbortController().signal
/** In the account's unit; the fallback model is cheaper. */
const PRICES = { inputPrice: 2, outputPrice: 3, fallback: { inputPrice: 1, outputPrice: 1 } }
const CAP = 100

let opened: OpenedDatabase
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
})
afterEach(() => opened.remove())

type Trial = Script &
  Partial<Pick<TrialAnswersOptions, 'moderator'>> & {
    amount?: number
    asks?: string | ChatMessage[]
    signal?: AbortSignal
    changes?: object
  }

/** Asks an agent as staff do. */
async function tryOut({ moderator = null, amount = 1, asks = 'How high are the fees?', signal = never, changes = {}, ...script }: Trial) {
  const requests: AnswerRequest[] = []
  const { run = () => say('12.') } = script
  const { agent } = scriptedAgent({
    ...script,
    run: (request) => {
      requests.push(request)
      return run(request)
    },
  })
  const faults: string[] = []
  const reservation = {
    limit: 'moneyPerDay',
    account: 'trials',
    amount,
    cap: CAP,
    code: 'budget_exhausted',
    endsAt: 9,
    retryAfterS: 1,
  } as const
  const trials = new TrialAnswers({
    database: opened.database,
    moderator,
    budgetFor: () => ({ model: 'primary', reservations: [{ ...reservation, ...PRICES }], allowance: undefined }),
    now: () => 0,
    onFault: (message) => faults.push(message),
  })
  const builder = new MessageBuilder()
  const messages = typeof asks === 'string' ? [said('user', asks)] : asks
  const trial = Object.assign(agent, { personalData: DEFAULT_PERSONAL_DATA_RULES, ...changes })
  for await (const chunk of trials.answer(trial, messages, signal)) builder.apply(chunk)
  const { metadata } = builder.message
  const spent = (await readAccounts(opened.database, ['trials'])).get('trials') ?? 0
  return { text: textOf(builder.message), end: [metadata?.status, metadata?.code ?? null], metadata, requests, spent, faults }
}

function said(role: 'user' | 'assistant', text: string): ChatMessage {
  return { id: text, role, parts: [{ type: 'text', text }] }
}

const stop = (change: Partial<Stop>): Stop => ({
  id: 's',
  scope: 'all',
  target: '',
  examples: [],
  reply: null,
  reason: 'A test',
  createdAt: 0,
  ...change,
})

test('staff get the answer that visitors would get, and nothing but its cost is stored', async () => {
  const { text, end, metadata, spent } = await tryOut({
    async *run({ onUsage }) {
      onUsage?.({ inputTokens: 10, outputTokens: 5 }, 'primary')
      yield* say('12.')
    },
  })
  expect([text, end, spent]).toEqual(['12.', ['done', null], 35])
  expect(metadata).toMatchObject({ model: 'The primary', createdAt: '1970-01-01T00:00:00.000Z', aiGenerated: true })
  expect(await opened.database.selectFrom('messages').selectAll().execute()).toEqual([])
})

test('an answer of the fallback model is charged at its prices', async () => {
  const { spent } = await tryOut({
    async *run({ onUsage }) {
      onUsage?.({ inputTokens: 10, outputTokens: 5 }, 'fallback')
      yield* say('12.')
    },
  })
  expect(spent).toBe(15)
})

test('what the budget does not allow is not answered', async () => {
  const { end, requests, spent } = await tryOut({ amount: CAP + 1 })
  expect([end, requests.length, spent]).toEqual([['failed', 'budget_exhausted'], 0, 0])
})

test('what staff have stopped is answered, without the stopped files', async () => {
  await insertStop(opened.database, stop({ id: 'all' }))
  await insertStop(opened.database, stop({ id: 'file', scope: 'file', target: 'fees.md' }))
  const { text, requests } = await tryOut({})
  expect([text, requests.map(({ excludedFiles }) => excludedFiles)]).toEqual(['12.', [['fees.md']]])
})

test('everything that is said is moderated, except an emergency', async () => {
  const checked: string[] = []
  const moderator: TrialAnswersOptions['moderator'] = {
    check: async (text) => {
      checked.push(text)
      return 'blocked'
    },
  }
  const blocked = await tryOut({ moderator, asks: [said('user', 'Hi'), said('assistant', 'Hello'), said('user', 'Bye')] })
  expect([blocked.end, blocked.requests.length]).toEqual([['failed', 'prompt_blocked'], 0])
  const emergency = await tryOut({ moderator, asks: 'I want to kill myself' })
  expect([emergency.end, emergency.metadata?.fixedReply, emergency.spent]).toEqual([['done', null], 'emergency', 0])
  expect(checked).toEqual(['Hi\n\nHello\n\nBye'])
})

test('personal data that visitors can’t send is refused in the newest prompt, and masked before', async () => {
  const changes = { personalData: { ...DEFAULT_PERSONAL_DATA_RULES, email: 'refuse', telephone: 'mask' } }
  const refused = await tryOut({ changes, asks: 'I am ada@example.org' })
  expect([refused.end, refused.requests.length]).toEqual([['failed', 'personal_data'], 0])
  const asks = [
    said('user', 'I am ada@example.org'),
    said('assistant', 'Write to info@example.org'),
    said('user', 'Call +49 30 901820 please'),
  ]
  const { requests } = await tryOut({ changes, asks })
  const [one = '', other = '', newest = ''] = requests[0]?.messages.map(textOf) ?? []
  expect(one).not.toContain('ada@')
  expect(other).toBe('Write to info@example.org')
  expect(newest).not.toContain('901820')
  expect((await tryOut({ changes, asks: 'I want to kill myself. Write to ada@example.org.' })).end).toEqual(['done', null])
})

test('an answer has the state that its agent reports, and without a report that of one without a source', async () => {
  const reported = await tryOut({
    run(request) {
      request.onState?.('answered')
      return say('12.')
    },
  })
  expect([reported.metadata?.state, (await tryOut({})).metadata?.state]).toEqual(['answered', 'answered_without_source'])
})

test('an answer that was cut says so', async () => {
  const { end } = await tryOut({
    async *run() {
      yield { type: 'message-metadata', messageMetadata: { code: 'answer_too_long' } }
      yield* say('12')
    },
  })
  expect(end).toEqual(['done', 'answer_too_long'])
})

test.each([
  ['failed', 'model_timeout', new AgentFailure('model_timeout', 'late')],
  ['interrupted', 'model_interrupted', new AgentFailure('model_interrupted', 'cut')],
  ['failed', 'internal', new Error('unexpected')],
] as const)('a failure ends the answer as %s with %s, and is logged', async (status, code, cause) => {
  const { end, text, faults } = await tryOut({
    async *run() {
      yield* say('12')
      throw cause
    },
  })
  expect([end, text, faults.length]).toEqual([[status, code], '12', 1])
})

test('an agent that is not ready says why', async () => {
  const { end, requests } = await tryOut({ changes: { notReady: { code: 'model_loading' } } })
  expect([end, requests.length]).toEqual([['failed', 'model_loading'], 0])
})

test('an aborted answer has no end', async () => {
  const leaving = new AbortController()
  const { end } = await tryOut({
    signal: leaving.signal,
    async *run() {
      yield* say('12')
      leaving.abort()
    },
  })
  expect(end).toEqual([undefined, null])
})
