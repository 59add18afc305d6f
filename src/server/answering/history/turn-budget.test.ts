import { describe, expect, test } from 'vitest'
import { TokenCalibration } from '../../models/tokens/token-calibration.ts'
import { TurnBudget } from './turn-budget.ts'

const budgetOf = (inputTokens: number, more: { windowTokens?: number; fixedTokens?: number; factor?: number; hasTools?: boolean } = {}) => {
  const { windowTokens = Number.POSITIVE_INFINITY, fixedTokens = 1_500, factor = 1, hasTools = true } = more
  const calibration = new TokenCalibration()
  for (let call = 0; call < 100; call += 1) calibration.learn(1_000, 1_000 * factor)
  const limits = { maxSteps: 6, maxOutputTokens: 2_000, windowTokens }
  return new TurnBudget({ allowance: { inputTokens, outputTokens: 2_000 }, limits, fixedTokens, hasTools, calibration })
}

/** Simulates a turn whose results use all available tokens; the model counts `factor` tokens per estimated one. */
function play(budget: TurnBudget, prompt: number, { fixedTokens = 1_500, factor = 1, calls = 100 } = {}) {
  let messages = prompt
  let read = 0
  let lookups = 0
  let largest = 0
  for (let step = 1; ; step += 1) {
    const plan = budget.beginCall(step, messages)
    if (!plan) return { read, lookups, largest, answered: false }
    const input = factor * (fixedTokens + 40 + messages)
    read += input
    largest = Math.max(largest, input + plan.maxOutputTokens)
    budget.endCall(messages, { inputTokens: Math.round(input), outputTokens: calls })
    if (!plan.mayUseTools) return { read, lookups, largest, answered: true }
    messages += calls
    const room = budget.resultTokens(step, messages)
    expect(room).toBeGreaterThan(0)
    messages += room
    lookups += 1
  }
}

describe.each([6_000, 8_000, 16_000, 32_000, 200_000])('a turn of %i tokens', (inputTokens) => {
  test.each([
    ['a short prompt', 50],
    ['all the history that fits', null],
  ])('with %s does a lookup, answers, and stays within its tokens', (_, prompt) => {
    const budget = budgetOf(inputTokens)
    const { read, lookups, answered } = play(budget, prompt ?? budget.conversationTokens)
    expect(answered).toBe(true)
    expect(lookups).toBeGreaterThan(0)
    expect(read).toBeLessThanOrEqual(inputTokens)
  })

  test('stays within its tokens with a model that counts differently, before and after its first report', () => {
    for (const factor of [0.8, 1.15, 1.4]) {
      const known = play(budgetOf(inputTokens, { factor }), 200, { factor })
      expect(known.answered).toBe(true)
      expect(known.read).toBeLessThanOrEqual(inputTokens * 1.02)
      const unknown = play(budgetOf(inputTokens), 200, { factor })
      expect(unknown.read).toBeLessThanOrEqual(inputTokens * Math.max(1, factor))
    }
  })
})

test.each([4_000, 8_000, 32_000])('no call and answer exceed a window of %i tokens', (windowTokens) => {
  const budget = budgetOf(1_000_000, { windowTokens })
  const { largest, lookups, answered } = play(budget, budget.conversationTokens)
  expect(answered).toBe(true)
  expect(lookups).toBeGreaterThan(0)
  expect(largest).toBeLessThanOrEqual(windowTokens)
})

test('a prompt without room for a lookup is answered without one', () => {
  expect(budgetOf(8_000).beginCall(1, 5_000)).toEqual({ maxOutputTokens: 2_000, mayUseTools: false })
  expect(budgetOf(1_000).beginCall(1, 5_000)).toEqual({ maxOutputTokens: 2_000, mayUseTools: false })
})

test('without tools, the conversation may use the whole call', () => {
  expect(budgetOf(16_000, { hasTools: false }).conversationTokens).toBeGreaterThan(14_000)
})
