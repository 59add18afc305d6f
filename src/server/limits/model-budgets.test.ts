import { expect, test } from 'vitest'
import { BUDGETS, NOW } from '../../../test/support/guard.ts'
import { trialBudget } from './model-budgets.ts'

test('an answer to staff is paid for by the installation alone', () => {
  const parts = { budgets: BUDGETS, price: { input: 2, output: 2 }, fallback: null, promptTokens: 20_000, at: NOW }
  const { model, allowance, reservations } = trialBudget(parts)
  expect([model, allowance]).toEqual(['primary', { inputTokens: 23_000, outputTokens: 0 }])
  expect(reservations.map(({ account, amount }) => [account, amount])).toEqual([[`money:day:${NOW}`, 23_000 * 2_000]])
})

test('an answer of a model without a price is not limited', () => {
  expect(trialBudget({ budgets: BUDGETS, price: null, fallback: null, promptTokens: 1, at: NOW })).toEqual({
    model: 'primary',
    reservations: [],
    allowance: undefined,
  })
})
