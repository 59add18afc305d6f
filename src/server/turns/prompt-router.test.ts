import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Script, scriptedAgent } from '../../../test/support/scripted-turns.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import type { CompletionRequest } from '../answering/agents/agent.ts'
import { PromptRouter } from './prompt-router.ts'

const BUDGET = { model: 'primary', reservations: [], allowance: undefined } as const
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
  write: NonNullable<Script['write']>,
  { signal = new AbortController().signal, ...script }: Script & { signal?: AbortSignal } = {},
) {
  const faults: string[] = []
  const asked: CompletionRequest[] = []
  const router = new PromptRouter({ database: opened.database, onFault: (message) => faults.push(message) })
  const { agent, wanted } = scriptedAgent({
    policy: POLICY,
    ...script,
    write: (request) => {
      asked.push(request)
      return write(request)
    },
  })
  const background = { ...BUDGET, model: 'fallback' as const }
  return { reply: router.reply(agent, { ...BUDGET, background }, { messages: CHAT, languages: [], signal }), faults, asked, wanted }
}

const verdict = (word: string) => async () => ({ text: `{"verdict": "${word}"}`, used: { inputTokens: 1, outputTokens: 1 } })

test('a model’s verdict on the newest prompt, with the one before, decides the fixed reply', async () => {
  const { reply, asked, wanted } = route(verdict('complaint'))
  expect(await reply).toMatchObject({ text: 'Call us.', state: 'referred' })
  expect(wanted).toEqual(['fallback'])
  const [{ text, isShown } = { text: '', isShown: true }] = asked
  expect(text).toContain('The visitor\'s message before: "What does a permit cost?"')
  expect(text).toContain('The visitor\'s message: "That is outrageous"')
  expect(text).not.toContain('12.')
  // Nobody reads the verdict, so it is not moderated.
  expect(isShown).toBe(false)
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
