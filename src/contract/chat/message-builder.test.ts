import { readUIMessageStream } from 'ai'
import { expect, test } from 'vitest'
import { citationMetadata } from './citation.ts'
import type { ChatChunk, ChatMessage } from './message.ts'
import { MessageBuilder } from './message-builder.ts'

const ANSWER: ChatChunk[] = [
  { type: 'start', messageId: 'm_1', messageMetadata: { turnId: 't_1', model: 'Test' } },
  { type: 'start-step' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'First ' },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Let me ' },
  { type: 'reasoning-delta', id: 'r', delta: 'think' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-delta', id: '1', delta: 'see' },
  { type: 'text-end', id: '1' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: 'calculator' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'calculator', input: { expression: '1+1' } },
  { type: 'tool-input-available', toolCallId: 'c2', toolName: 'clock', input: {}, dynamic: true },
  { type: 'tool-output-available', toolCallId: 'c1', output: { result: 2 } },
  { type: 'tool-output-error', toolCallId: 'c2', errorText: 'no clock' },
  { type: 'finish-step' },
  { type: 'start-step' },
  {
    type: 'source-document',
    sourceId: '1',
    mediaType: 'text/markdown',
    title: 'About',
    filename: 'about.md',
    providerMetadata: citationMetadata({ breadcrumb: 'About › Us', quote: 'We are.', asOf: null, address: 'https://example.org/' }),
  },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: '2' },
  { type: 'text-end', id: '1' },
  { type: 'data-topics', data: { topics: ['a'] } },
  { type: 'finish-step' },
  { type: 'finish', messageMetadata: { status: 'done' } },
]

function build(chunks: ChatChunk[]): MessageBuilder {
  const builder = new MessageBuilder()
  for (const chunk of chunks) builder.apply(chunk)
  return builder
}

async function readBySdk(chunks: ChatChunk[]): Promise<ChatMessage | undefined> {
  const stream = new ReadableStream<ChatChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const messages = await Array.fromAsync(readUIMessageStream<ChatMessage>({ stream }))
  return messages.at(-1)
}

test('builds the same message as the AI SDK does', async () => {
  const expected = await readBySdk(ANSWER)
  expect(JSON.parse(JSON.stringify(build(ANSWER).message))).toEqual(JSON.parse(JSON.stringify(expected)))
})

test('builds the same message again when the stream is replayed', () => {
  expect(build([...ANSWER.slice(0, 9), ...ANSWER]).message).toEqual(build(ANSWER).message)
})

test('leaves nothing streaming in a finished message', () => {
  const stopped = build(ANSWER.slice(0, 7)).finished()
  expect(stopped.parts.filter((part) => 'state' in part && part.state === 'streaming')).toEqual([])
})

test('gives only changed parts a new identity', () => {
  const builder = build(ANSWER.slice(0, 6))
  const before = builder.message.parts
  builder.apply({ type: 'text-delta', id: '1', delta: '…' })
  const after = builder.message.parts
  expect(after).not.toBe(before)
  expect(after[1]).toBe(before[1])
  expect(after[2]).not.toBe(before[2])
})

test('ignores unknown chunks', () => {
  const builder = build(ANSWER)
  const before = builder.message
  builder.apply({ type: 'from-the-future', data: 1 } as never)
  builder.apply({ type: 'text-delta', id: 'never-started', delta: 'x' })
  expect(builder.message).toEqual(before)
})
