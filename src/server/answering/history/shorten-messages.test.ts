import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { CONTINUE_MESSAGE } from '../../models/builtin/continuation.ts'
import { shorterHistory } from './shorten-messages.ts'

const user = (content: string): ModelMessage => ({ role: 'user', content })
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content })
const result = (value: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'json', value } }],
})
const LONG = 'long '.repeat(1_000)

test('drops the history before the prompt except for a short last exchange', () => {
  const current = [user('Now?'), assistant('Let me see.'), result('x')]
  expect(shorterHistory([user(LONG), assistant(LONG), user('Then?'), assistant('So.'), ...current])).toEqual([
    user('Then?'),
    assistant('So.'),
    ...current,
  ])
  expect(shorterHistory([user('First?'), assistant('So.'), user(LONG), assistant(LONG), ...current])).toEqual(current)
  expect(shorterHistory([user(LONG), assistant(LONG), ...current])).toEqual(current)
})

test('keeps the prompt of an answer that is continued', () => {
  const current = [user('Now?'), assistant('Half an'), CONTINUE_MESSAGE]
  expect(shorterHistory([user(LONG), assistant(LONG), ...current])).toEqual(current)
  expect(shorterHistory(current)).toBeNull()
})

test('halves tool results if there is no history', () => {
  const [, , cut] = shorterHistory([user('Now?'), assistant('Let me see.'), result(LONG)]) ?? []
  const text = JSON.stringify(cut)
  expect(text.length).toBeLessThan(LONG.length * 0.6)
  expect(text).toContain('left out')
  expect(shorterHistory([user('Now?'), assistant('Let me see.'), result('short')])).toBeNull()
})
