import { expect, test } from 'vitest'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { rephrases } from './rephrases.ts'

const ANSWERED = Date.UTC(2026, 10, 20, 12)
const FIRST = 'What does a parking permit cost?'

function chat(...texts: string[]): ChatMessage[] {
  return texts.map((text, index) => ({
    id: String(index),
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    parts: [{ type: 'text' as const, text }],
    metadata: { sessionId: 's', createdAt: new Date(ANSWERED).toISOString() },
  }))
}

test.each([
  { prompt: 'cost of parking permits please', minutes: 10, expected: true },
  { prompt: 'cost of parking permits please', minutes: 10.01, expected: false },
  { prompt: 'When is the library open?', minutes: 1, expected: false },
  { prompt: 'What about what is the of?', minutes: 1, expected: false },
])('"$prompt" after $minutes minutes asks again: $expected', ({ prompt, minutes, expected }) => {
  expect(rephrases(chat(FIRST, 'It costs 12.', prompt), ANSWERED + minutes * 60_000)).toBe(expected)
})

test('only the prompt before counts, and only with content words', () => {
  const asked = (...texts: string[]) => rephrases(chat(...texts), ANSWERED)
  expect(asked('When is the library open?', 'At 9.', FIRST, 'It costs 12.', 'cost of parking permits please')).toBe(true)
  expect(asked(FIRST, 'It costs 12.', 'When is the library open?', 'At 9.', 'cost of parking permits please')).toBe(false)
  expect(asked('??', 'Pardon?', FIRST)).toBe(false)
  expect(asked('Permits?', 'It costs 12.', 'cost of parking permits please')).toBe(true)
  expect(asked('Library permits?', 'It costs 12.', 'cost of parking permits please')).toBe(true)
})

test('a prompt that follows no answer to a prompt asks nothing again', () => {
  const [before, answer, prompt] = chat(FIRST, 'It costs 12.', FIRST) as [ChatMessage, ChatMessage, ChatMessage]
  for (const messages of [
    [answer, answer, prompt],
    [before, before, prompt],
    [before, answer, answer],
  ])
    expect(rephrases(messages, ANSWERED)).toBe(false)
})

test('a first prompt asks nothing again', () => {
  expect(rephrases(chat(FIRST), ANSWERED)).toBe(false)
  expect(rephrases([], ANSWERED)).toBe(false)
})
