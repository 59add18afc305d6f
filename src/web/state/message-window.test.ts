import { expect, test } from 'vitest'
import type { ChatMessage } from '../../contract/message.ts'
import { withFeedbackOf, withNewest } from './message-window.ts'

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

test('keeps the same objects where nothing has changed, and takes the ids that the server gave', () => {
  const sent = message('made here', 'c')
  const merged = withNewest(window(null, a, b, sent), window('before b', message('b'), message('c'), d))
  expect(merged.messages[1]).toBe(b)
  expect(merged).toEqual(window(null, a, b, c, d))
})

test('shows another branch from where it leaves the one that is shown', () => {
  expect(withNewest(window('before a', a, b, c), window('before b', b, d, e))).toEqual(window('before a', a, b, d, e))
})

test('tells a message that has another version since from itself before', () => {
  const version = { number: 1, of: 2, after: 'e' }
  const newest = { ...b, metadata: { version } }
  expect(withNewest(window(null, a, b), window(null, a, newest)).messages[1]).toBe(newest)
})

test('keeps thumbs that were given while the messages were on their way', () => {
  const up = { ...b, metadata: { feedback: { thumb: 'up' as const } } }
  const down = { ...c, metadata: { feedback: { thumb: 'down' as const } } }
  expect(withFeedbackOf([up, c], [a, b, down])).toEqual([a, up, { ...c, metadata: {} }])
})

test('begins anew where what is shown and the newest do not meet', () => {
  expect(withNewest(window(null, a, b), window('before d', d, e))).toEqual(window('before d', d, e))
})

test('takes what the server has as all there is, where it says so', () => {
  expect(withNewest(window(null, a, b, c), window(null, a, b))).toEqual(window(null, a, b))
})
