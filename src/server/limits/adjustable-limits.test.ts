import { expect, test } from 'vitest'
import { BUDGETS, DEFAULTS, limitsWith } from '../../../test/support/guard.ts'
import {
  ADJUSTABLE_LIMITS,
  type AdjustableName,
  findAdjustableLimit,
  fromStored,
  rangeOf,
  toStored,
  valueOf,
  withAdjustments,
} from './adjustable-limits.ts'

const ENVIRONMENT = { limits: limitsWith({}), budgets: { ...BUDGETS, moneyPerDay: 2.5, tokensPerDay: DEFAULTS.tokensPerDay } }
const limitOf = (name: AdjustableName) => findAdjustableLimit(name)!
const adjusted = (stored: Partial<Record<AdjustableName | 'unknown', number>>) =>
  withAdjustments(ENVIRONMENT, new Map(Object.entries(stored).map(([name, value]) => [name, { value }])))

test('budgets of money and tokens come before quotas', () => {
  const budgets = ADJUSTABLE_LIMITS.filter(({ kind }) => kind === 'budget')
  expect(budgets.map(({ name, unit }) => [name, unit])).toEqual([
    ['moneyPerDay', 'money'],
    ['moneyPerMonth', 'money'],
    ['tokensPerDay', 'count'],
    ['networkTokensPerDay', 'count'],
  ])
  expect(ADJUSTABLE_LIMITS.slice(0, budgets.length)).toEqual(budgets)
  expect(ADJUSTABLE_LIMITS).toHaveLength(14)
  expect(limitOf('promptsPerDay')).toMatchObject({ setting: 'LIMIT_PROMPTS_PER_DAY', kind: 'quota', unit: 'count' })
  expect(findAdjustableLimit('unknown')).toBeUndefined()
})

test('a quota can be raised to twice its value, a budget only be lowered, and one that is not set not be changed', () => {
  const ranges = (['promptsPerDay', 'tokensPerDay', 'moneyPerDay', 'moneyPerMonth'] as const).map((name) =>
    rangeOf(limitOf(name), ENVIRONMENT),
  )
  expect(ranges).toEqual([[1, 200], [1, DEFAULTS.tokensPerDay], [0, 2.5], null])
  expect([valueOf(ENVIRONMENT, 'promptsPerDay'), valueOf(ENVIRONMENT, 'moneyPerDay'), valueOf(ENVIRONMENT, 'moneyPerMonth')]).toEqual([
    100,
    2.5,
    null,
  ])
})

test('what staff have stored is in force as far as the environment allows it', () => {
  const within = adjusted({ promptsPerDay: 150, moneyPerDay: toStored(limitOf('moneyPerDay'), 1.5), tokensPerDay: 5 })
  expect(within.limits).toEqual({ ...ENVIRONMENT.limits, promptsPerDay: 150, tokensPerDay: 5 })
  expect(within.budgets).toEqual({ ...ENVIRONMENT.budgets, moneyPerDay: 1.5, tokensPerDay: 5 })
  const outside = adjusted({ promptsPerDay: 1_000, promptsPerMinute: 0, moneyPerDay: -1, tokensPerDay: 1e12, moneyPerMonth: 7, unknown: 7 })
  expect(outside.limits).toEqual({ ...ENVIRONMENT.limits, promptsPerDay: 200, promptsPerMinute: 1 })
  expect(outside.budgets).toEqual({ ...ENVIRONMENT.budgets, moneyPerDay: 0 })
})

test('money is stored in billionths, and a count as it is', () => {
  const [money, count] = [limitOf('moneyPerDay'), limitOf('promptsPerDay')]
  expect([toStored(money, 2.5), toStored(count, 7)]).toEqual([2_500_000_000, 7])
  expect([fromStored(money, 2_500_000_000), fromStored(count, 7)]).toEqual([2.5, 7])
})
