import { z } from 'zod'
import { LimitChange, LimitInForce, LimitList, LimitName } from '../../../contract/staff/limits.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { ADJUSTABLE_LIMITS, type AdjustableLimit, findAdjustableLimit, rangeOf, toStored } from '../../limits/adjustable-limits.ts'
import { adjustLimit, type AdjustedLimit, readAdjustedLimits, restoreLimit } from '../../store/staff/adjusted-limits.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { limitView, readLimitUse } from '../limit-view.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readActorNames } from '../staff-names.ts'
import { staffRoute } from '../staff-route.ts'

const params = z.object({ name: LimitName })
const tags = ['limits']

/** The limits in force. Every process follows a change within a second; a lowered budget holds for the next reservation. */
export function limitRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, audit, limits, now } = options

  app.get(
    '/api/staff/v1/limits',
    staffRoute({ summary: 'List the limits in force, and how near they are', tags, reply: LimitList }, { staff: 'read-status' }),
    async () => {
      const stored = await readAdjustedLimits(database)
      const used = await readLimitUse(options)
      const names = await readActorNames(database, now())
      return { limits: ADJUSTABLE_LIMITS.map((limit) => limitView(limit, limits, stored.get(limit.name), { names, used })) }
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
      staffRoute(
        { summary: `Raise or lower a ${kind}`, tags, params, body: LimitChange, reply: LimitInForce },
        { staff: right, isSensitive: true },
      ),
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
        const isDone = await adjustLimit(database, changed, isExpected, (transaction) =>
          audit.append(transaction, { at: now(), actor: changed.changedBy, action: 'limit.change', target: `${limit.name}=${value}` }),
        )
        return isDone ? viewOf(limit, changed, await readActorNames(database, now())) : rejectStaff(reply, 'changed_meanwhile')
      },
    )

    app.delete(
      `/api/staff/v1/${path}/:name`,
      staffRoute(
        { summary: `Go back to the environment’s value of a ${kind}`, tags, params, reply: LimitInForce },
        { staff: right, isSensitive: true },
      ),
      async (request, reply) => {
        const limit = limitOf(request.params.name)
        if (!limit) return reject(reply, 'not_found')
        await restoreLimit(database, limit.name, (transaction) =>
          audit.append(transaction, { at: now(), actor: staffOf(request).member.id, action: 'limit.restore', target: limit.name }),
        )
        return viewOf(limit, undefined)
      },
    )
  }

  function viewOf(limit: AdjustableLimit, stored: AdjustedLimit | undefined, names: ReadonlyMap<string, string> = new Map()) {
    return limitView(limit, limits, stored, { names, used: () => null })
  }
}
