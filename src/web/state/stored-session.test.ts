import { beforeEach, expect, test, vi } from 'vitest'
import { tabStorage } from '../../ui/storage/storage.ts'
import { useApplication } from './application-store.ts'
import type { ChatSession } from './chat-session.ts'
import { forgetStoredSession, readStoredAgent, readStoredSession, storeSession } from './stored-session.ts'

const PROMPT = { id: 'p', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }
const ANSWER = { id: 'a', role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'Hel' }] }
const session = (change: Partial<ChatSession> = {}): ChatSession => ({
  key: 'one',
  title: 'First',
  messages: [PROMPT],
  earlier: 'cursor',
  answer: { status: 'none' },
  ...change,
})

beforeEach(() => {
  forgetStoredSession()
  useApplication.setState({ isTemporary: false, isSharedComputer: false })
})

test('a reload shows the session at once, and no other', () => {
  storeSession(session())
  expect(readStoredSession('one')).toEqual(session({ answer: { status: 'opening' } }))
  expect(readStoredSession('other')).toBeNull()
  expect(readStoredAgent('other')).toBeUndefined()
})

test('messages are stored with their role and text as the calls of the chat return them', () => {
  storeSession(session({ messages: [PROMPT, ANSWER] }))
  const { key, messages } = JSON.parse(tabStorage.getItem('chat-session') ?? '') as { key: string; messages: unknown[] }
  const data = { additional_kwargs: {}, response_metadata: {}, type: 'text', name: null, id: null, example: false }
  expect([key, messages]).toEqual([
    'one',
    [
      { type: 'human', data: { ...data, content: 'Hi' }, message: PROMPT },
      { type: 'agent', data: { ...data, content: 'Hel' }, message: ANSWER },
    ],
  ])
})

test('a streaming answer is stored as far as it was shown', () => {
  storeSession(session({ answer: { status: 'answering', turn: 't', message: ANSWER, connection: 'reconnecting' } }))
  expect(readStoredSession('one')?.answer).toEqual({ status: 'answering', turn: 't', message: ANSWER, connection: 'live' })
})

test('forgetting deletes the stored session', () => {
  storeSession(session())
  forgetStoredSession()
  expect(readStoredSession('one')).toBeNull()
})

test.each([{ isTemporary: true }, { isSharedComputer: true }])('stores nothing for %j', (flags) => {
  useApplication.setState(flags)
  storeSession(session())
  expect(readStoredSession('one')).toBeNull()
})

test('storage that fails or has invalid content restores no session', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  storeSession(session())
  const setItem = vi.spyOn(tabStorage, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  storeSession(session({ title: 'Longer' }))
  expect([readStoredSession('one'), error.mock.calls.length]).toEqual([null, 1])
  setItem.mockRestore()
  for (const content of ['{"key":', '{"key":"one","messages":7}', '{"key":"one","messages":[{}]}']) {
    tabStorage.setItem('chat-session', content)
    expect(readStoredSession('one')).toBeNull()
  }
  error.mockRestore()
})
