import { expect, test } from 'vitest'
import { BUDGETS, NOW } from '../../../test/support/guard.ts'
import { trialBudget } from './trial-budget.ts'

test('an answer to staff is paid for by the installation alone', () => {
  const { model, allowance, reservations } = trialBudget(BUDGETS, { price: { input: 2, output: 2 }, fallback: null }, 20_000, NOW)
  expect([model, allowance]).toEqual(['primary', { inputTokens: 23_000, outputTokens: 0 }])
  expect(reservations.map(({ account, amount }) => [account, amount])).toEqual([[`money:day:${NOW}`, 23_000 * 2_000]])
})

test('an answer of a model without a price is not limited', () => {
  expect(trialBudget(BUDGETS, { price: null, fallback: null }, 1, NOW)).toEqual({
    model: 'primary',
    reservations: [],
    allowance: undefined,
  })
})
