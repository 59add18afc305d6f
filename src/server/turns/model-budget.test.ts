import { expect, test, vi } from 'vitest'
import { rejection } from '../../contract/rejection.ts'
import type { ModelBudgetFor } from '../store/turns/budgets.ts'
import { commitWithinBudget } from './model-budget.ts'

const PRIMARY: ModelBudgetFor = () => ({ model: 'primary', reservations: [], allowance: undefined })
const FALLBACK: ModelBudgetFor = () => ({ model: 'fallback', reservations: [], allowance: undefined })

const COMMITTED = { kind: 'committed' }

/** Commits with these outcomes by the budget's model. */
const commitWith = (outcomes: Record<'primary' | 'fallback', { kind: string }>) =>
  vi.fn<(budget: ModelBudgetFor) => Promise<{ kind: string }>>(async (budget) => outcomes[budget('assistant').model])

test('the first budget that can be reserved is the last one tried', async () => {
  const commit = commitWith({ primary: COMMITTED, fallback: COMMITTED })
  expect(await commitWithinBudget([PRIMARY, FALLBACK], commit)).toEqual({ committed: COMMITTED, budget: PRIMARY })
  expect(commit).toHaveBeenCalledTimes(1)
})

test('the next budget is tried only if an account had no room', async () => {
  const poor = commitWith({ primary: rejection('budget_exhausted'), fallback: COMMITTED })
  expect(await commitWithinBudget([PRIMARY, FALLBACK], poor)).toEqual({ committed: COMMITTED, budget: FALLBACK })
  const busy = rejection('session_busy')
  const committed = commitWithinBudget([PRIMARY, FALLBACK], commitWith({ primary: busy, fallback: COMMITTED }))
  expect(await committed).toEqual({ committed: busy, budget: PRIMARY })
})

test('without room in any account, the last rejection is returned', async () => {
  const last = rejection('daily_tokens_used')
  const commit = commitWith({ primary: rejection('budget_exhausted'), fallback: last })
  expect(await commitWithinBudget([PRIMARY, FALLBACK], commit)).toEqual({ committed: last, budget: FALLBACK })
})
