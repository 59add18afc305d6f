import { expect, test } from 'vitest'
import { allowanceFor, type BudgetLimits, reservationsFor, smallAllowanceFor } from './budget.ts'
import type { Subjects } from './quotas.ts'

const LIMITS: BudgetLimits = {
  turn: { inputTokens: 20_000, outputTokens: 1_000 },
  tokensPerDay: 100_000,
  networkTokensPerDay: 500_000,
  moneyPerDay: 2.5,
  moneyPerMonth: 40,
}
const PRICE = { input: 0.15, output: 0.6 }
const DAY = Date.UTC(2026, 11, 31)
const MONTH = Date.UTC(2026, 11, 1)
const NEW_YEAR = Date.UTC(2027, 0, 1)
const NOW = NEW_YEAR - 7_200_500
const SUBJECTS: Subjects = { visitor: 'v', network: 'n', wide: null }

const reserve = (fallback: Parameters<typeof reservationsFor>[2]['fallback'], limits = LIMITS, subjects = SUBJECTS) =>
  reservationsFor(limits, subjects, { price: PRICE, fallback }, LIMITS.turn, NOW)

test('reserves tokens of visitor and network for the day, and money for the day and the month, until the period ends', () => {
  const tokens = { inputPrice: 1, outputPrice: 1, code: 'daily_tokens_used', amount: 21_000 }
  // 0.15 per million is 150 billionths per token.
  const money = { inputPrice: 150, outputPrice: 600, code: 'budget_exhausted', amount: 20_000 * 150 + 1_000 * 600 }
  const period = { endsAt: NEW_YEAR, retryAfterS: 7_201 }
  expect(reserve(null)).toEqual([
    { account: `tokens:visitor:v:${DAY}`, limit: 'tokensPerDay', cap: 100_000, ...tokens, ...period },
    { account: `tokens:network:n:${DAY}`, limit: 'networkTokensPerDay', cap: 500_000, ...tokens, ...period },
    { account: `money:day:${DAY}`, limit: 'moneyPerDay', cap: 2_500_000_000, ...money, ...period, shard: expect.any(Number) },
    { account: `money:month:${MONTH}`, limit: 'moneyPerMonth', cap: 40_000_000_000, ...money, ...period, shard: expect.any(Number) },
  ])
})

test('reserves nothing in accounts without a subject or a limit', () => {
  const limits = { ...LIMITS, moneyPerDay: null, moneyPerMonth: null }
  expect(reserve(null, limits, { visitor: null, network: null, wide: null })).toEqual([])
})

test('reserves the higher cost of the model and its fallback, and settles each by its own prices', () => {
  const dear = reserve({ price: { input: 2_000, output: 0.6 } })
  expect(dear.map(({ amount }) => amount)).toEqual([21_000, 21_000, 40_000_600_000, 40_000_600_000])
  expect(dear.map(({ fallback }) => fallback)).toEqual([
    { inputPrice: 1, outputPrice: 1 },
    { inputPrice: 1, outputPrice: 1 },
    { inputPrice: 2_000_000, outputPrice: 600 },
    { inputPrice: 2_000_000, outputPrice: 600 },
  ])
})

test('counts neither tokens nor money of a free fallback', () => {
  const free = reserve({ price: null })
  expect(free.map(({ amount }) => amount)).toEqual([21_000, 21_000, 3_600_000, 3_600_000])
  for (const { fallback } of free) expect(fallback).toEqual({ inputPrice: 0, outputPrice: 0 })
})

test('says to retry after a second at the very end of a period', () => {
  const [first] = reservationsFor(LIMITS, SUBJECTS, { price: PRICE, fallback: null }, LIMITS.turn, NEW_YEAR - 1)
  expect(first?.retryAfterS).toBe(1)
})

test('allows a long prompt to be sent once, and a short one the limit of a turn', () => {
  expect(allowanceFor(LIMITS, 17_000)).toEqual(LIMITS.turn)
  expect(allowanceFor(LIMITS, 17_001)).toEqual({ inputTokens: 20_001, outputTokens: 1_000 })
})

test('reduces the limit of a turn to one lookup, if that is lower', () => {
  expect(smallAllowanceFor(LIMITS, 100)).toEqual({ inputTokens: 8_200, outputTokens: 1_000 })
  expect(smallAllowanceFor(LIMITS, 6_000)).toBeNull()
})
