import { z } from 'zod'
import { MIN_SHOWN } from '../../../contract/staff/figures.ts'
import { LimitChange, LimitInForce, LimitList, LimitName } from '../../../contract/staff/limits.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import {
  ADJUSTABLE_LIMITS,
  type AdjustableLimit,
  type AdjustableName,
  findAdjustableLimit,
  rangeOf,
  toStored,
  valueOf,
  withAdjustments,
} from '../../limits/adjustable-limits.ts'
import { quotasOn } from '../../limits/limit-settings.ts'
import { moneyUsed } from '../../limits/money-used.ts'
import { Quotas } from '../../limits/quotas.ts'
import { countRunningTurns } from '../../store/visitors/installation-counts.ts'
import { adjustLimit, type AdjustedLimit, readAdjustedLimits, restoreLimit } from '../../store/staff/adjusted-limits.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readActorNames } from '../staff-names.ts'
import { sensitive, staffRoutes } from '../staff-route.ts'

const params = z.object({ name: LimitName })
const route = staffRoutes('limits')

/** The limits in force. Every process follows a change within a second; a lowered budget holds for the next reservation. */
export function limitRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, record, limits, now } = options

  app.get(
    '/api/staff/v1/limits',
    route('read-status', { summary: 'List the limits in force, and how near they are', reply: LimitList }),
    async () => {
      const stored = await readAdjustedLimits(database)
      const used = await readLimitUse(options)
      const names = await readActorNames(database, now())
      return { limits: ADJUSTABLE_LIMITS.map((limit) => viewOf(limit, stored.get(limit.name), names, used[limit.name])) }
    },
  )

  for (const [kind, path, right] of [
    ['quota', 'limits', 'change-limits'],
    ['budget', 'budgets', 'change-budgets'],
  ] as const) {
    const limitOf = (name: string) => {
      const limit = findAdjustableLimit(name)
      return limit?.kind === kind ? limit : undefined
    }

    app.post(
      `/api/staff/v1/${path}/:name`,
      route(sensitive(right), { summary: `Raise or lower a ${kind}`, params, body: LimitChange, reply: LimitInForce }),
      async (request, reply) => {
        const limit = limitOf(request.params.name)
        if (!limit) return reject(reply, 'not_found')
        const { value, replaces } = request.body
        const range = rangeOf(limit, limits.environment)
        if (!range || value < range[0] || value > range[1] || (limit.unit === 'count' && !Number.isInteger(value)))
          return rejectStaff(reply, 'limit_out_of_range')
        const changed: AdjustedLimit = {
          name: limit.name,
          value: toStored(limit, value),
          changedAt: now(),
          changedBy: staffOf(request).member.id,
        }
        const isExpected = (current: AdjustedLimit | undefined) => viewOf(limit, current).value === replaces
        const isDone = await adjustLimit(database, changed, isExpected, record(request, 'limit.change', `${limit.name}=${value}`))
        return isDone ? viewOf(limit, changed, await readActorNames(database, now())) : rejectStaff(reply, 'changed_meanwhile')
      },
    )

    app.delete(
      `/api/staff/v1/${path}/:name`,
      route(sensitive(right), { summary: `Go back to the environment’s value of a ${kind}`, params, reply: LimitInForce }),
      async (request, reply) => {
        const limit = limitOf(request.params.name)
        if (!limit) return reject(reply, 'not_found')
        await restoreLimit(database, limit.name, record(request, 'limit.restore', limit.name))
        return viewOf(limit, undefined)
      },
    )
  }

  /** A limit as staff see it. `names` are those of the staff, by id. */
  function viewOf(
    limit: AdjustableLimit,
    stored: AdjustedLimit | undefined,
    names: ReadonlyMap<string, string> = new Map(),
    used: number | null = null,
  ): LimitInForce {
    const { environment, isSet } = limits
    const inForce = withAdjustments(environment, new Map(stored && [[limit.name, stored]]))
    const range = rangeOf(limit, environment)
    const { name, setting } = limit
    return {
      ...limit,
      value: valueOf(inForce, name),
      source: stored && range ? 'console' : isSet(setting) ? 'environment' : 'default',
      environmentValue: valueOf(environment, name),
      range: range && { min: range[0], max: range[1] },
      changedAt: stored ? new Date(stored.changedAt).toISOString() : null,
      changedBy: (stored && names.get(stored.changedBy)) ?? null,
      used,
    }
  }
}

/** How near the installation is to the limits that are not of a visitor or a network, whose use is theirs. */
async function readLimitUse({
  database,
  limits,
  now,
}: Pick<ConsoleRouteOptions, 'database' | 'limits' | 'now'>): Promise<Partial<Record<AdjustableName, number | undefined>>> {
  const money = await moneyUsed(database, limits.current.budgets, now())
  const quotas = new Quotas({ database, now, onFault: () => undefined })
  const nobody = { visitor: null, network: null, wide: null }
  const [newVisitors] = await quotas.readUsage(quotasOn('new-visitor', limits.current.limits), nobody)
  return {
    allRunningTurns: await countRunningTurns(database),
    // Fewer visitors are not shown anywhere.
    allNewVisitorsPerHour: newVisitors && newVisitors.used >= MIN_SHOWN ? newVisitors.used : undefined,
    moneyPerDay: money.find(({ period }) => period === 'day')?.used,
    moneyPerMonth: money.find(({ period }) => period === 'month')?.used,
  }
}
