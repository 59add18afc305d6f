import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { groupMessages } from './message-groups.ts'

const messages = (from: number, to: number): ChatMessage[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: `m_${from + index}`, role: 'user', parts: [] }))
const grown = (message: ChatMessage): ChatMessage => ({ ...message, parts: [{ type: 'text', text: 'more' }] })
const keyOf = (groups: ReturnType<typeof groupMessages>, id: string) =>
  groups.find((group) => group.messages.some((message) => message.id === id))?.key

test('contains all messages in order, in groups of at most 16', () => {
  const all = messages(0, 100)
  const groups = groupMessages(all)
  expect(groups.flatMap((group) => group.messages)).toEqual(all)
  expect(Math.max(...groups.map((group) => group.messages.length))).toBe(16)
})

test('a growing message changes only its own group', () => {
  const all = messages(0, 100)
  const before = groupMessages(all)
  const after = groupMessages([...all.slice(0, -1), grown(all.at(-1)!)], before)
  expect(after.slice(0, -1).every((group, index) => group === before[index])).toBe(true)
  expect(after.at(-1)).not.toBe(before.at(-1))
  expect(after.at(-1)?.key).toBe(before.at(-1)?.key)
})

test('a message stays in its group when others are added before, after, or in its place', () => {
  const all = messages(50, 80)
  const before = groupMessages(all)
  const after = groupMessages([...messages(0, 50), ...all, ...messages(80, 120)], before)
  expect(after.flatMap((group) => group.messages.map(({ id }) => id))).toEqual(messages(0, 120).map(({ id }) => id))
  for (const { id } of all) expect(keyOf(after, id)).toBe(keyOf(before, id))
  expect(new Set(after.map(({ key }) => key)).size).toBe(after.length)
  expect(Math.max(...after.map((group) => group.messages.length))).toBeLessThanOrEqual(16)
  const other = groupMessages([...all.slice(0, 20), ...messages(200, 203)], before)
  expect(other.flatMap((group) => group.messages.map(({ id }) => id))).toEqual(
    [...all.slice(0, 20), ...messages(200, 203)].map(({ id }) => id),
  )
  for (const { id } of all.slice(0, 20)) expect(keyOf(other, id)).toBe(keyOf(before, id))
})
