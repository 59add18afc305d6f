import { expect, test } from 'vitest'
import type { ChatMessage } from '../../contract/message.ts'
import { withNewest } from './message-window.ts'

const message = (id: string, text = id): ChatMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const window = (earlier: string | null, ...messages: ChatMessage[]) => ({ messages, earlier })
const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => message(id)) as [
  ChatMessage,
  ChatMessage,
  ChatMessage,
  ChatMessage,
  ChatMessage,
]

test('keeps what was loaded before the newest, and what it had said was before that', () => {
  expect(withNewest(window('before a', a, b, c), window('before b', b, c, d))).toEqual(window('before a', a, b, c, d))
})

test('keeps the same objects where nothing has changed, whatever ids they have here', () => {
  const sent = message('made here', 'c')
  const merged = withNewest(window(null, a, b, sent), window('before b', message('b'), message('c'), d))
  expect(merged.messages[1]).toBe(b)
  expect(merged.messages[2]).toBe(sent)
  expect(merged).toEqual(window(null, a, b, sent, d))
})

test('begins anew where what is shown and the newest do not meet', () => {
  expect(withNewest(window(null, a, b), window('before d', d, e))).toEqual(window('before d', d, e))
})

test('takes what the server has as all there is, where it says so', () => {
  expect(withNewest(window(null, a, b, c), window(null, a, b))).toEqual(window(null, a, b))
})
