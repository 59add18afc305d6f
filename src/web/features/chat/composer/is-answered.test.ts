import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import type { Answer } from '../../../state/chat-session.ts'
import { isAnswered } from './is-answered.ts'

const PROMPT: ChatMessage = { id: 'p', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const answer = (change: Partial<ChatMessage> = {}): ChatMessage => ({
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'text', text: 'Hello' }],
  metadata: { status: 'done' },
  ...change,
})
const isDone = (last: ChatMessage, state: Answer = { status: 'none' }) =>
  isAnswered({ key: 'k', title: '', messages: [PROMPT, last], answer: state })

test('a chat is answered by a complete answer only', () => {
  expect(isDone(answer())).toBe(true)
  expect(isAnswered(null)).toBe(false)
  expect(isDone(PROMPT)).toBe(false)
  expect(isDone(answer(), { status: 'opening' })).toBe(false)
  for (const status of ['stopped', 'failed', 'interrupted'] as const) expect(isDone(answer({ metadata: { status } }))).toBe(false)
})

test('a chat whose answer asks for a decision is not answered', () => {
  const part = { type: 'tool-book', toolCallId: 't', state: 'approval-requested', input: {}, approval: { id: 'x' } } as const
  expect(isDone(answer({ parts: [part] as unknown as ChatMessage['parts'] }))).toBe(false)
})
