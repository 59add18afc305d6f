import type { LimitInForce } from '../../contract/staff/limits.ts'
import { type BudgetLimits, moneyOf, moneyUnits } from './budget.ts'
import { LIMIT_SETTINGS, type Limits } from './limit-settings.ts'

/** The limits as the environment sets them, or as they are in force. */
export interface LimitValues {
  limits: Limits
  budgets: BudgetLimits
}

const RAISE_FACTOR = 2

const MONEY = {
  moneyPerDay: { setting: 'BUDGET_PER_DAY', description: 'Maximum cost of all answers per day (UTC).' },
  moneyPerMonth: { setting: 'BUDGET_PER_MONTH', description: 'Maximum cost of all answers per month (UTC).' },
} as const
type MoneyName = keyof typeof MONEY

export type AdjustableName = keyof typeof LIMIT_SETTINGS | MoneyName

/** The environment's value of a budget is the highest that staff can set. The unit of money is the operator's currency. */
export interface AdjustableLimit extends Pick<LimitInForce, 'setting' | 'description' | 'kind' | 'unit'> {
  name: AdjustableName
}

const isToken = (name: AdjustableName) => name in LIMIT_SETTINGS && LIMIT_SETTINGS[name as keyof typeof LIMIT_SETTINGS].what === 'token'

/** Every limit that staff can change: budgets first. */
export const ADJUSTABLE_LIMITS: readonly AdjustableLimit[] = [
  ...(Object.entries(MONEY) as [MoneyName, (typeof MONEY)[MoneyName]][]).map(
    ([name, named]): AdjustableLimit => ({ name, ...named, kind: 'budget', unit: 'money' }),
  ),
  ...(Object.entries(LIMIT_SETTINGS) as [keyof typeof LIMIT_SETTINGS, (typeof LIMIT_SETTINGS)[keyof typeof LIMIT_SETTINGS]][]).map(
    ([name, { setting, description }]): AdjustableLimit => ({
      name,
      setting,
      description,
      kind: isToken(name) ? 'budget' : 'quota',
      unit: 'count',
    }),
  ),
].toSorted((one, other) => Number(one.kind === 'quota') - Number(other.kind === 'quota'))

export function findAdjustableLimit(name: string): AdjustableLimit | undefined {
  return ADJUSTABLE_LIMITS.find((limit) => limit.name === name)
}

/** The value of a limit; `null` for a budget that isn't set. */
export function valueOf({ limits, budgets }: LimitValues, name: AdjustableName): number | null {
  return name in MONEY ? budgets[name as MoneyName] : limits[name as keyof typeof LIMIT_SETTINGS]
}

/** The range of a limit: a budget up to the environment's value, a quota up to twice that; `null` for a budget that isn't set there. */
export function rangeOf({ name, kind, unit }: AdjustableLimit, environment: LimitValues): [number, number] | null {
  const value = valueOf(environment, name)
  if (value === null) return null
  return [unit === 'money' ? 0 : 1, kind === 'budget' ? value : value * RAISE_FACTOR]
}

/** The limits in force: those of the environment with the stored changes, as far as the environment allows them. */
export function withAdjustments(environment: LimitValues, stored: ReadonlyMap<string, { value: number }>): LimitValues {
  const limits: Record<string, number> = {}
  const budgets: Record<string, number> = {}
  for (const limit of ADJUSTABLE_LIMITS) {
    const found = stored.get(limit.name)
    const range = found && rangeOf(limit, environment)
    if (!range) continue
    const value = Math.min(Math.max(fromStored(limit, found.value), range[0]), range[1])
    if (limit.name in LIMIT_SETTINGS) limits[limit.name] = value
    if (limit.kind === 'budget') budgets[limit.name] = value
  }
  return { limits: { ...environment.limits, ...limits }, budgets: { ...environment.budgets, ...budgets } }
}

export function toStored({ unit }: AdjustableLimit, value: number): number {
  return unit === 'money' ? moneyUnits(value) : value
}

export function fromStored({ unit }: AdjustableLimit, value: number): number {
  return unit === 'money' ? moneyOf(value) : value
}
