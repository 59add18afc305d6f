import { expect, test } from 'vitest'
import { citationMetadata } from '../../../contract/chat/citation.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import { chunksOfAnswer, endChunks } from './replay.ts'

const CITATION = { breadcrumb: 'About › Us', quote: 'We are.', asOf: '2026-11-22', address: 'https://example.org/' }

const answer: ChatMessage = {
  id: 'm_1',
  role: 'assistant',
  metadata: { turnId: 't_1', status: 'done', model: 'Test' },
  parts: [
    { type: 'step-start' },
    { type: 'reasoning', id: 'r', text: 'Hm', state: 'done' },
    { type: 'tool-calculator', toolCallId: 'c1', state: 'output-available', input: { expression: '1+1' }, output: { result: 2 } },
    { type: 'dynamic-tool', toolName: 'clock', toolCallId: 'c2', state: 'output-error', input: {}, errorText: 'no clock' },
    { type: 'source-document', sourceId: 's', mediaType: 'text/markdown', title: 'About', providerMetadata: citationMetadata(CITATION) },
    { type: 'text', text: 'It is 2.', state: 'done' },
    { type: 'data-topics', data: { topics: ['a'] } },
  ],
}

const endings = [
  { status: 'done', state: 'answered', last: 'finish' },
  { status: 'stopped', last: 'abort' },
  { status: 'failed', code: 'model_timeout', last: 'error' },
  { status: 'interrupted', code: 'shutting_down', last: 'error' },
] as const

test.each(endings)('replays an answer that ended as $status into the same message', ({ last, ...end }) => {
  const stored = { ...answer, metadata: { ...answer.metadata, ...end } }
  const chunks = chunksOfAnswer(stored)
  const builder = new MessageBuilder()
  for (const chunk of chunks) builder.apply(chunk)
  expect(builder.message).toEqual(stored)
  expect(chunks.at(-1)?.type).toBe(last)
})

test('an answer that was cut ends for its length', () => {
  const reasonOf = (...[end]: Parameters<typeof endChunks>) => endChunks(end).map((chunk) => 'finishReason' in chunk && chunk.finishReason)
  expect(reasonOf({ status: 'done' })).toEqual(['stop'])
  expect(reasonOf({ status: 'done', code: 'answer_too_long' })).toEqual(['length'])
})

test('replays an answer without metadata as done', () => {
  const chunks = chunksOfAnswer({ id: 'm_1', role: 'assistant', parts: [] })
  expect(chunks.map(({ type }) => type)).toEqual(['start', 'finish'])
})
