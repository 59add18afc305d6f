import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Script, scriptedAgent } from '../../../test/support/scripted-turns.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import type { CompletionRequest } from '../answering/agents/agent.ts'
import { readAccounts, type ReservationRequest } from '../store/turns/budgets.ts'
import { routePrompt } from './prompt-router.ts'

const ROUTE = {
  id: 'complaint',
  state: 'referred',
  reply: { en: 'Call us.' },
  examples: ['I complain'],
  counterExamples: [],
  keywords: [],
} as const
const POLICY: Script['policy'] = { routing: 'model', routes: [{ ...ROUTE, examples: ['I complain'], counterExamples: [], keywords: [] }] }
const CHAT = (['What does a permit cost?', '12.', 'That is outrageous'] as const).map(
  (text, index): ChatMessage => ({ id: text, role: index === 1 ? 'assistant' : 'user', parts: [{ type: 'text', text }] }),
)

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

/** Routes the last prompt of the chat. */
function route(
  complete: NonNullable<Script['complete']>,
  {
    signal = new AbortController().signal,
    reservations = [],
    ...script
  }: Script & { signal?: AbortSignal; reservations?: readonly ReservationRequest[] } = {},
) {
  const faults: string[] = []
  const asked: CompletionRequest[] = []
  const options = { database: opened.database, onFault: (message: string) => faults.push(message) }
  const { agent, wanted } = scriptedAgent({
    policy: POLICY,
    ...script,
    complete: (request) => {
      asked.push(request)
      return complete(request)
    },
  })
  const budget = { model: 'fallback', reservations, allowance: undefined } as const
  return { reply: routePrompt(options, agent, budget, { messages: CHAT, languages: [], signal }), faults, asked, wanted }
}

const verdict = (word: string) => async () => ({ text: `{"verdict": "${word}"}`, used: { inputTokens: 1, outputTokens: 1 } })

test('a model’s verdict on the newest prompt, with the one before, decides the fixed reply', async () => {
  const { reply, asked, wanted } = route(verdict('complaint'))
  expect(await reply).toMatchObject({ text: 'Call us.', state: 'referred' })
  expect(wanted).toEqual(['fallback'])
  const [{ text } = { text: '' }] = asked
  expect(text).toContain('The visitor\'s message before: "What does a permit cost?"')
  expect(text).toContain('The visitor\'s message: "That is outrageous"')
  expect(text).not.toContain('12.')
})

test('without a fixed reply for the verdict the agent answers', async () => {
  expect(await route(verdict('none')).reply).toBeNull()
})

test('a verdict that fails is logged, and the agent answers', async () => {
  const { reply, faults } = route(() => Promise.reject(new Error('away')))
  expect([await reply, faults.length]).toEqual([null, 1])
})

test('a verdict of a turn that was stopped is no fault', async () => {
  const stopped = new AbortController()
  const { reply, faults } = route(
    async ({ signal }) => {
      stopped.abort()
      throw signal.reason
    },
    { signal: stopped.signal },
  )
  expect([await reply, faults]).toEqual([null, []])
})

test('a policy that asks for no verdict gets none', () => {
  const { reply, asked } = route(verdict('complaint'), { policy: { routing: 'examples' } })
  expect([reply, asked]).toEqual([undefined, []])
})

describe('a verdict is paid from the accounts of its turn', () => {
  const spent = async (account: string) => (await readAccounts(opened.database, [account])).get(account) ?? 0
  const limited = (account: string, cap: number): ReservationRequest[] => [
    {
      limit: 'moneyPerDay',
      account,
      amount: 9_999,
      inputPrice: 1,
      outputPrice: 3,
      cap,
      code: 'budget_exhausted',
      endsAt: 9,
      retryAfterS: 1,
    },
  ]

  test('for what it used', async () => {
    const { reply } = route(verdict('complaint'), { reservations: limited('room', 10_000) })
    expect(await reply).toMatchObject({ text: 'Call us.' })
    expect(await spent('room')).toBe(4)
  })

  test('for its reservation if it fails', async () => {
    const { reply } = route(() => Promise.reject(new Error('away')), { reservations: limited('failed', 10_000) })
    expect(await reply).toBeNull()
    expect(await spent('failed')).toBeGreaterThan(300)
  })

  test('and left out if they have too little left', async () => {
    const { reply, asked } = route(verdict('complaint'), { reservations: limited('full', 100) })
    expect([await reply, asked, await spent('full')]).toEqual([null, [], 0])
  })
})
