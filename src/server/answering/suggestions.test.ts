import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { topicsOf } from '../../contract/chat/parts/topics.ts'
import { Agents } from './agents/agents.ts'
import { suggestionsIn } from './suggestions.ts'
import type { Tokens } from '../models/tokens/token-meter.ts'

const ROOMY: Tokens = { inputTokens: 16_000, outputTokens: 2_000 }

let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(() => model.close())

/** Answers the first request with the first script and later ones with the second. */
async function ask(answer: Script, suggestions: Script, allowance = ROOMY) {
  const agents = await Agents.open({
    directory: join(import.meta.dirname, '../../../agents'),
    knowledgeDirectory: join(import.meta.dirname, '../../../knowledge'),
    model: { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' },
    suggests: true,
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    limits: { retryDelayMs: 1, mergeDeltasMs: 5, maxRetries: 0 },
  })
  const before = model.requests.length
  model.script(answer)
  model.script(suggestions)
  const builder = new MessageBuilder('a')
  let used: Tokens = { inputTokens: 0, outputTokens: 0 }
  const messages = [{ id: 'p', role: 'user' as const, parts: [{ type: 'text' as const, text: 'What is tea?' }] }]
  const onUsage = (tokens: Tokens) => {
    used = tokens
  }
  for await (const chunk of agents.first.run({ messages, signal: new AbortController().signal, allowance, onUsage })) builder.apply(chunk)
  const message = builder.finished()
  return { text: textOf(message), topics: topicsOf(message), used, requests: model.requests.slice(before) }
}

test('after an answer the model suggests prompts in one short call, which is counted', async () => {
  const { text, topics, used, requests } = await ask([{ text: 'A drink.' }], [{ text: '1. Which kinds?\n2. Is it healthy?' }])
  expect(text).toBe('A drink.')
  expect(topics).toEqual(['Which kinds?', 'Is it healthy?'])
  expect(requests).toHaveLength(2)
  expect(requests[1]?.body).toMatchObject({ max_tokens: 120 })
  expect(requests[1]?.prompt).toContain('What is tea?')
  expect(requests[1]?.body['tools']).toBeUndefined()
  const alone = await ask([{ text: 'A drink.' }], { status: 500 })
  expect(used.outputTokens).toBeGreaterThan(alone.used.outputTokens)
})

test('an answer is complete without suggestions when the model fails or writes prose', async () => {
  expect(await ask([{ text: 'A drink.' }], { status: 500 })).toMatchObject({ text: 'A drink.', topics: [] })
  expect(await ask([{ text: 'A drink.' }], [{ text: 'word '.repeat(40) }])).toMatchObject({ text: 'A drink.', topics: [] })
})

test('suggestions that exceed the allowance are not requested', async () => {
  const { text, topics, requests } = await ask([{ text: 'A drink.' }], [{ text: 'Which?' }], { ...ROOMY, outputTokens: 100 })
  expect([text, topics, requests.length]).toEqual(['A drink.', [], 1])
})

test.each([
  ['lines', 'What about tea?\nAnd coffee?', ['What about tea?', 'And coffee?']],
  ['a list with numbers', '1. What about tea?\n2) And coffee?', ['What about tea?', 'And coffee?']],
  ['a list with marks and quotes', '- “What about tea?”\n* "And coffee?"\n', ['What about tea?', 'And coffee?']],
  ['more than 3, one twice', 'a?\na?\nb?\nc?\nd?', ['a?', 'b?', 'c?']],
  ['an essay', `${'long '.repeat(40)}\nShort?`, ['Short?']],
  ['nothing', ' \n', []],
])('reads prompts from %s', (_name, text, prompts) => {
  expect(suggestionsIn(text)).toEqual(prompts)
})
