import { type LanguageModelStreamPart, tool, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { SupportCheck } from '../facts/support-filter.ts'
import { ANSWER_FILTERS, pass } from './answer-filters.ts'

/** Passes one text through the filters of an answer; returns what is shown, what was compared with facts, and what was moderated. */
async function passed(deltas: readonly string[], known: readonly number[]) {
  async function* written(): AsyncGenerator<ChatChunk> {
    yield { type: 'start-step' }
    yield { type: 'text-start', id: 't' }
    for (const delta of deltas) yield { type: 'text-delta', id: 't', delta }
    yield { type: 'text-end', id: 't' }
    yield { type: 'finish-step' }
  }
  const compared: string[] = []
  const moderated: string[] = []
  const write = (delta: string) => (compared.push(delta), delta.replace(' Wrong', ''))
  const builder = new MessageBuilder('a')
  const answer = { outcome: null, hasText: false, isComplete: true, awaitsApproval: false, state: 'answered' as const }
  const chunks = pass(ANSWER_FILTERS.answer, written(), {
    answer,
    isBuiltin: false,
    isSmall: false,
    prompt: '',
    beside: null,
    judge: null,
    sources: {
      cite: (number: number) => (known.includes(number) ? number : undefined),
      show: (number: number) => number,
      beginStep: () => undefined,
      size: known.length,
      numbers: new Set(known),
      passage: () => null,
      takeNewSources: () => [],
    },
    support: { count: 0, openFilter: () => ({ write, end: () => '' }) } as unknown as SupportCheck,
    confidential: null,
    moderator: { undecidedCharacters: 0, check: async (text: string) => (moderated.push(text), 'allowed' as const) },
    signal: new AbortController().signal,
  })
  for await (const chunk of chunks) builder.apply(chunk)
  return { shown: textOf(builder.finished()), compared: compared.join(''), moderated: moderated.join(''), answer }
}

test('an answer passes the filters in this order', () => {
  expect(Object.entries(ANSWER_FILTERS).map(([on, filters]) => [on, Object.keys(filters)])).toEqual([
    ['call', ['writtenCalls', 'thoughts']],
    ['answer', ['emergency', 'outcomeLine', 'citations', 'judge', 'facts', 'numbers', 'promptQuotes', 'moderation']],
    ['turn', ['turnLog']],
  ])
})

test('a call that is written as text runs, and is neither answer nor thought', async () => {
  const tools: ToolSet = { search: tool({ inputSchema: z.object({ query: z.string() }) }) as ToolSet[string] }
  async function* written(): AsyncGenerator<LanguageModelStreamPart> {
    yield { type: 'text-start', id: 't' }
    yield { type: 'text-delta', id: 't', text: '<think>I look it up.</think>' }
    yield { type: 'text-delta', id: 't', text: '{"name": "search", "arguments": {"query": "pool"}}' }
    yield { type: 'text-end', id: 't' }
    yield { type: 'model-call-end', finishReason: 'stop' } as LanguageModelStreamPart
  }
  const parts = await Array.fromAsync(pass(ANSWER_FILTERS.call, written(), { tools, thinking: { opensThoughts: false } }))
  const shown = parts.map((part) => (part.type === 'text-delta' || part.type === 'reasoning-delta' ? part.text : '')).join('')
  expect(shown).toBe('I look it up.')
  expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call', toolName: 'search', input: { query: 'pool' } }))
})

test('facts are compared without the outcome line and without citations that have no passage', async () => {
  const { compared, answer } = await passed(['A permit costs 30 euros [1] [7].', '\n<outc', 'ome>answered</outcome>'], [1])
  expect(compared).toBe('A permit costs 30 euros [1].')
  expect(answer).toMatchObject({ outcome: 'answered', hasText: true })
})

test('moderation checks the text that the visitor gets', async () => {
  const { shown, moderated } = await passed(['It is Wrong open [2].', '<outcome>answered</outcome>'], [1])
  expect(shown).toBe('It is open.')
  expect(moderated).toBe(shown)
})

test('a chunk is logged before it goes on', async () => {
  const order: string[] = []
  const written = async function* (): AsyncGenerator<ChatChunk> {
    yield { type: 'start-step' }
  }
  const log = async ({ type }: ChatChunk) => void order.push(`logged ${type}`)
  for await (const { type } of pass(ANSWER_FILTERS.turn, written(), { log })) order.push(`passed ${type}`)
  expect(order).toEqual(['logged start-step', 'passed start-step'])
})
