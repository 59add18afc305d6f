import { expect, test } from 'vitest'
import { textOf } from '../../contract/chat/message-text.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import { fixedAnswer } from './log/answer-chunks.ts'

const REPLY: FixedReply = { kind: 'approved', text: 'It costs 12.', state: 'answered' }

/** The message of a fixed reply, its chunks and its states. */
async function messageOf(reply: FixedReply) {
  const states: string[] = []
  const chunks = await Array.fromAsync(fixedAnswer(reply, (state) => states.push(state)))
  const builder = new MessageBuilder()
  for (const chunk of chunks) builder.apply(chunk)
  return { message: builder.message, chunks, states }
}

test('a fixed reply is one text with its kind and state', async () => {
  const { message, chunks, states } = await messageOf(REPLY)
  expect([textOf(message), message.parts.length, message.metadata?.fixedReply, states]).toEqual([
    'It costs 12.',
    1,
    'approved',
    ['answered'],
  ])
  expect(new Set(chunks.flatMap((chunk) => ('id' in chunk ? chunk.id : [])))).toEqual(new Set(['reply']))
})

test('an approved answer names its source and when it was approved', async () => {
  const source = { title: 'Fees', url: 'https://example.org/fees' }
  const { message } = await messageOf({ ...REPLY, approved: { source, file: 'fees.md', approvedOn: '2026-11-20' } })
  expect(message.metadata?.approvedOn).toBe('2026-11-20')
  expect(message.parts[1]).toMatchObject({ type: 'source-document', title: 'Fees', filename: 'fees.md' })
})
