import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { citationMetadata } from '../src/contract/chat/citation.ts'
import type { ChatChunk, ChatMessage, ChatMessagePart } from '../src/contract/chat/message.ts'
import { MessageBuilder } from '../src/contract/chat/message-builder.ts'
import { STORED_PARTS } from '../src/contract/chat/parts/stored-parts.ts'
import { kindOf, type PartKind } from '../src/contract/chat/parts/part-kinds.ts'
import { PART_REDUCERS } from '../src/contract/chat/message-builder.ts'
import { durationMetadata } from '../src/contract/chat/parts/reasoning.ts'
import { approvalResponseChunk } from '../src/contract/chat/parts/tool.ts'
import { topicsChunk } from '../src/contract/chat/parts/topics.ts'
import { chunksOfAnswer } from '../src/server/turns/log/replay.ts'
import { exportedMessage } from '../src/server/visitors/export/export-document.ts'

const KINDS = Object.keys(PART_REDUCERS) as PartKind[]
const CREATED_AT = '2026-11-21T10:00:00.000Z'

/** Chunks that write one part, given an id that is unique within the message. */
type PartChunks = (id: string) => ChatChunk[]

const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0'))
const deltas = fc.array(line, { maxLength: 4 })
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/)
const url = fc.webUrl({ validSchemes: ['http', 'https'] })
const citation = fc.record({
  breadcrumb: fc.constantFrom('', 'About › Us'),
  quote: line.map((text) => text.trim()),
  asOf: fc.constantFrom(null, '2026-11-22'),
  address: fc.constantFrom(null, 'https://example.org/page'),
})

const input = fc.oneof(
  json.map((value) => ({ available: value })),
  json.map((value) => ({ invalid: value })),
  fc.constant('streaming' as const),
)
const approval = fc.constantFrom('not needed', 'requested', 'approved', 'denied')
const outcome = fc.oneof(
  json.map((output) => ({ output })),
  line.map((errorText) => ({ errorText })),
  fc.constant('none' as const),
)

const tool = fc
  .record({ toolName: name, dynamic: fc.boolean(), title: fc.option(line, { nil: undefined }), input, approval, outcome })
  .map(({ toolName, dynamic, title, input: given, approval: asked, outcome: end }): PartChunks => {
    const options = { toolName, ...(dynamic && { dynamic }), ...(title !== undefined && { title }) }
    return (toolCallId) => {
      const call = { toolCallId, ...options }
      const start: ChatChunk = { type: 'tool-input-start', ...call }
      if (given === 'streaming') return [start]
      if ('invalid' in given) return [start, { type: 'tool-input-error', ...call, input: given.invalid, errorText: 'Invalid input' }]
      const chunks: ChatChunk[] = [start, { type: 'tool-input-available', ...call, input: given.available }]
      const approvalId = `approval of ${toolCallId}`
      if (asked !== 'not needed') {
        chunks.push({
          type: 'tool-approval-request',
          approvalId,
          toolCallId,
          approvalDescriptor: { expiresAt: CREATED_AT },
          signature: 's',
        })
        if (asked === 'requested') return chunks
        chunks.push(approvalResponseChunk(approvalId, asked === 'approved'))
        if (asked === 'denied') return [...chunks, { type: 'tool-output-denied', toolCallId }]
      }
      if (end === 'none') return chunks
      const result: ChatChunk =
        'output' in end
          ? { type: 'tool-output-available', toolCallId, output: end.output }
          : { type: 'tool-output-error', toolCallId, errorText: end.errorText }
      return [...chunks, result]
    }
  })

const CHUNKS = {
  text: deltas.map((texts) => (id) => [
    { type: 'text-start', id },
    ...texts.map((delta): ChatChunk => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ]),
  reasoning: fc.tuple(deltas, fc.option(fc.nat({ max: 60_000 }), { nil: undefined })).map(([texts, durationMs]) => (id) => [
    { type: 'reasoning-start', id },
    ...texts.map((delta): ChatChunk => ({ type: 'reasoning-delta', id, delta })),
    { type: 'reasoning-end', id, ...(durationMs !== undefined && { providerMetadata: durationMetadata(durationMs) }) },
  ]),
  'step-start': fc.constant(() => [{ type: 'start-step' }, { type: 'finish-step' }]),
  file: line.map((filename) => (id) => [{ type: 'file', mediaType: 'image/png', filename, url: `/api/v1/files/f_${id}` } as ChatChunk]),
  'source-url': fc.record({ url, title: line }).map((source) => (sourceId) => [{ type: 'source-url', sourceId, ...source }]),
  'source-document': fc.record({ title: line, filename: line, citation }).map(({ citation: details, ...source }) => (sourceId) => [
    { type: 'source-document', sourceId, mediaType: 'text/markdown', ...source, providerMetadata: citationMetadata(details) },
  ]),
  tool,
  'data-topics': fc.array(line, { maxLength: 3 }).map((topics) => () => [topicsChunk(topics)]),
} satisfies Record<PartKind, fc.Arbitrary<PartChunks>>

const answerOf = (kinds: readonly PartKind[]): fc.Arbitrary<ChatMessage> =>
  fc
    .array(fc.oneof(...kinds.map((kind) => CHUNKS[kind] as fc.Arbitrary<PartChunks>)), { minLength: 1, maxLength: 8 })
    .map((parts) => built([{ type: 'start', messageId: 'm_1' }, ...parts.flatMap((chunksOf, index) => chunksOf(`p${index}`))]))

function built(chunks: ChatChunk[]): ChatMessage {
  const builder = new MessageBuilder()
  for (const chunk of chunks) builder.apply(chunk)
  return { ...builder.finished(), metadata: { createdAt: CREATED_AT, status: 'done' } }
}

/** As JSON, which is how messages are stored and sent. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe.each(KINDS)('%s', (kind) => {
  test('is built from the chunks of its kind', () => {
    fc.assert(
      fc.property(answerOf([kind]), ({ parts }) => {
        expect(parts.length).toBeGreaterThan(0)
        for (const part of parts) expect(kindOf(part)).toBe(kind)
      }),
    )
  })

  test('is exported without what the provider added', () => {
    fc.assert(
      fc.property(answerOf([kind]), (message) => {
        const { parts } = exportedMessage(message)
        expect(parts.map(({ type }) => type)).toEqual(message.parts.filter(isComplete).map(({ type }) => type))
        for (const part of parts) expect(Object.keys(part).filter((key) => !STORED_PARTS[kind].exported.includes(key))).toEqual([])
      }),
    )
  })
})

/** Whether a part is exported: a tool call without its input is not. */
const isComplete = (part: ChatMessagePart): boolean => !('state' in part) || part.state !== 'input-streaming'

test('a replayed answer builds the same message, whatever its parts', () => {
  fc.assert(
    fc.property(answerOf(KINDS), (message) => {
      const builder = new MessageBuilder()
      for (const chunk of chunksOfAnswer(message)) builder.apply(chunk)
      expect(asJson(builder.message)).toEqual(asJson(message))
    }),
  )
})

test('an exported answer keeps its content', () => {
  const part: Record<PartKind, ChatMessagePart> = {
    text: { type: 'text', text: 'It is 2 [1].' },
    reasoning: { type: 'reasoning', id: 'r', text: 'Hm' },
    'step-start': { type: 'step-start' },
    'source-url': { type: 'source-url', sourceId: 's', url: 'https://example.org/', title: 'Example' },
    'source-document': {
      type: 'source-document',
      sourceId: '1',
      mediaType: 'text/markdown',
      title: 'About',
      filename: 'about.md',
      providerMetadata: citationMetadata({
        breadcrumb: 'About › Us',
        quote: 'We are.',
        asOf: '2026-11-22',
        address: 'https://example.org/',
      }),
    },
    tool: { type: 'tool-sum', toolCallId: 'c', title: 'Sum', state: 'output-available', input: { of: [1, 1] }, output: { is: 2 } },
    'data-topics': { type: 'data-topics', data: { topics: ['More'] } },
    file: { type: 'file', mediaType: 'image/png', filename: 'tea.png', url: '/api/v1/files/f_1' },
  }
  const message: ChatMessage = { id: 'm_1', role: 'assistant', metadata: { createdAt: CREATED_AT }, parts: Object.values(part) }
  expect(exportedMessage(message).parts).toEqual(message.parts)
})

test('a list without a kind does not compile', () => {
  const { 'data-topics': _, ...reducers } = PART_REDUCERS
  const { 'data-topics': __, ...stored } = STORED_PARTS
  // @ts-expect-error -- data-topics is missing
  reducers satisfies Record<PartKind, unknown>
  // @ts-expect-error -- data-topics is missing
  stored satisfies Record<PartKind, unknown>
  expect([reducers, stored].map((list) => Object.keys(list).length)).toEqual([KINDS.length - 1, KINDS.length - 1])
})
