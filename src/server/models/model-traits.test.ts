import { expect, test } from 'vitest'
import type { ModelSettings } from './model-settings.ts'
import { isSmallModel, timeLimitsOf } from './model-traits.ts'

const named = (model: string, more: object = {}): ModelSettings => ({
  kind: 'openai-compatible',
  baseUrl: 'http://h/v1',
  apiKey: 'k',
  model,
  ...more,
})

test.each([
  ['qwen2.5-coder-1.5b-instruct', true],
  ['llama3.2:3b', true],
  ['gemma-2-2B-it', true],
  ['mistral-7b', true],
  ['llama-3.1-8b', false],
  ['qwen3-30b-a3b', false],
  ['mixtral-8x7b-instruct-47b', false],
  ['gpt-5-mini', false],
  ['claude-haiku-4-5', false],
])('%s is small: %s', (model, isSmall) => {
  expect(isSmallModel(named(model))).toBe(isSmall)
})

test('the operator’s word counts more than the name, and a model on this server is small', () => {
  expect(isSmallModel(named('llama3.2:3b', { isSmall: false }))).toBe(false)
  expect(isSmallModel(named('phi', { isSmall: true }))).toBe(true)
  expect(isSmallModel({ kind: 'local', source: null, contextTokens: 8_192 })).toBe(true)
})

test('an endpoint of one’s own may take minutes for its first data, a hosted provider may not', () => {
  expect(timeLimitsOf(named('m')).firstDataTimeoutMs).toBe(300_000)
  expect(timeLimitsOf({ kind: 'openai', apiKey: 'k', model: 'gpt-5' })).toEqual({})
  const { firstDataTimeoutMs = 0, totalTimeoutMs = 0 } = timeLimitsOf(named('m', { firstDataTimeoutMs: 900_000 }))
  expect(firstDataTimeoutMs).toBe(900_000)
  expect(totalTimeoutMs).toBeGreaterThan(firstDataTimeoutMs)
})
