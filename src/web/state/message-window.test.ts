import { expect, test } from 'vitest'
import type { ChatMessage } from '../../contract/chat/message.ts'
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

test('keeps earlier loaded messages and whether there are more before them', () => {
  expect(withNewest(window('before a', a, b, c), window('before b', b, c, d))).toEqual(window('before a', a, b, c, d))
})

test('keeps unchanged objects, and takes over the ids of the server', () => {
  const sent = message('made here', 'c')
  const merged = withNewest(window(null, a, b, sent), window('before b', message('b'), message('c'), d))
  expect(merged.messages[1]).toBe(b)
  expect(merged).toEqual(window(null, a, b, c, d))
})

test('shows another branch from where it diverges', () => {
  expect(withNewest(window('before a', a, b, c), window('before b', b, d, e))).toEqual(window('before a', a, b, d, e))
})

test('distinguishes a message that got another version from its earlier state', () => {
  const version = { number: 1, of: 2, after: 'e' }
  const newest = { ...b, metadata: { version } }
  expect(withNewest(window(null, a, b), window(null, a, newest)).messages[1]).toBe(newest)
})

test('shows what staff have corrected since, and no longer what they have removed', () => {
  const corrected = { ...b, metadata: { corrections: [{ text: 'Not so', at: '2026-11-25T07:00:00.000Z' }] } }
  expect(withNewest(window(null, a, b), window(null, a, corrected)).messages[1]).toBe(corrected)
  expect(withNewest(window(null, a, corrected), window(null, a, b)).messages[1]).toBe(b)
})

test('keeps feedback given while messages were loading', () => {
  const up = { ...b, metadata: { feedback: { thumb: 'up' as const } } }
  const down = { ...c, metadata: { feedback: { thumb: 'down' as const } } }
  expect(withFeedbackOf([up, c], [a, b, down])).toEqual([a, up, { ...c, metadata: {} }])
})

test('starts over if the shown and the newest messages do not overlap', () => {
  expect(withNewest(window(null, a, b), window('before d', d, e))).toEqual(window('before d', d, e))
})

test('treats the server’s messages as complete if it says so', () => {
  expect(withNewest(window(null, a, b, c), window(null, a, b))).toEqual(window(null, a, b))
})

test('a prompt that has an id of the page’s is met by what follows it', () => {
  const merged = withNewest(window(null, a, message('made here', 'b'), c, d), window('before b', b, c, d, e))
  expect(merged).toEqual(window(null, a, b, c, d, e))
})
