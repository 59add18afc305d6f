import type { LimitInForce } from '../../contract/staff/limits.ts'
import { type AdjustableLimit, type AdjustableName, rangeOf, valueOf, withAdjustments } from '../limits/adjustable-limits.ts'
import { moneyUsed } from '../limits/money-used.ts'
import { Quotas } from '../limits/quotas.ts'
import { quotasOn } from '../limits/limit-settings.ts'
import type { RuntimeLimits } from '../limits/runtime-limits.ts'
import type { AdjustedLimit } from '../store/staff/adjusted-limits.ts'
import { MIN_SHOWN } from '../../contract/staff/figures.ts'
import { countRunningTurns } from '../store/visitors/installation-counts.ts'
import type { ConsoleRouteOptions } from './console-options.ts'

type UsedOf = (name: AdjustableName) => number | null

/** A limit as staff see it. `names` are those of the staff, by id. */
export function limitView(
  limit: AdjustableLimit,
  { environment, isSet }: Pick<RuntimeLimits, 'environment' | 'isSet'>,
  stored: AdjustedLimit | undefined,
  { names, used }: { names: ReadonlyMap<string, string>; used: UsedOf },
): LimitInForce {
  const inForce = withAdjustments(environment, new Map(stored && [[limit.name, stored]]))
  const range = rangeOf(limit, environment)
  const { name, setting, description, kind, unit } = limit
  return {
    name,
    setting,
    description,
    kind,
    unit,
    value: valueOf(inForce, name),
    source: stored && range ? 'console' : isSet(setting) ? 'environment' : 'default',
    environmentValue: valueOf(environment, name),
    range: range && { min: range[0], max: range[1] },
    changedAt: stored ? new Date(stored.changedAt).toISOString() : null,
    changedBy: (stored && names.get(stored.changedBy)) ?? null,
    used: used(name),
  }
}

/** How near the installation is to the limits that are not of a visitor or a network, whose use is theirs. */
export async function readLimitUse({ database, limits, now }: Pick<ConsoleRouteOptions, 'database' | 'limits' | 'now'>): Promise<UsedOf> {
  const money = await moneyUsed(database, limits.current.budgets, now())
  const quotas = new Quotas({ database, now, onFault: () => undefined })
  const nobody = { visitor: null, network: null, wide: null }
  const [newVisitors] = await quotas.readUsage(quotasOn('new-visitor', limits.current.limits), nobody)
  const used: Partial<Record<AdjustableName, number | undefined>> = {
    allRunningTurns: await countRunningTurns(database),
    // Fewer visitors are not shown anywhere.
    allNewVisitorsPerHour: newVisitors && newVisitors.used >= MIN_SHOWN ? newVisitors.used : undefined,
    moneyPerDay: money.find(({ period }) => period === 'day')?.used,
    moneyPerMonth: money.find(({ period }) => period === 'month')?.used,
  }
  return (name) => used[name] ?? null
}
