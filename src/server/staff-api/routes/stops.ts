import { z } from 'zod'
import { NewStop, StopEnded, StopId, StopInForce, StopList } from '../../../contract/staff/stops.ts'
import { InstallationStatus } from '../../../contract/staff/status.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { newStopId } from '../../staff/ids.ts'
import type { AuditAction } from '../../staff/audit.ts'
import type { Database } from '../../store/engine/database.ts'
import { deleteStop, insertStop, readStops, type Stop } from '../../store/staff/stops.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { staffRoute } from '../staff-route.ts'

/** Routes for stops. Every process follows within a second. */
export function stopRoutes(app: Server, { database, audit, now }: ConsoleRouteOptions): void {
  const tags = ['stops']
  const record = (actor: string, action: AuditAction, target: string) => (transaction: Database) =>
    audit.append(transaction, { at: now(), actor, action, target })

  app.get(
    '/api/staff/v1/stops',
    staffRoute({ summary: 'List what is stopped', tags, reply: StopList }, { staff: 'read-status' }),
    async () => ({ stops: (await readStops(database)).stops.map(viewOf) }),
  )

  app.post(
    '/api/staff/v1/stops',
    staffRoute({ summary: 'Stop answers', tags, body: NewStop, reply: StopInForce }, { staff: 'change-stops', isSensitive: true }),
    async (request) => {
      const stop = { ...request.body, id: newStopId(), createdAt: now() }
      await insertStop(database, stop, record(staffOf(request).member.id, 'stop.start', stop.id))
      return viewOf(stop)
    },
  )

  app.delete(
    '/api/staff/v1/stops/:id',
    staffRoute(
      { summary: 'End a stop', tags, params: z.object({ id: StopId }), reply: StopEnded },
      { staff: 'change-stops', isSensitive: true },
    ),
    async (request, reply) => {
      const { id } = request.params
      const isEnded = await deleteStop(database, id, record(staffOf(request).member.id, 'stop.end', id))
      return isEnded ? { ended: true as const } : reject(reply, 'not_found')
    },
  )
}

export function statusRoute(app: Server, { status }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/status',
    staffRoute(
      { summary: 'Retrieve the state of the installation', tags: ['status'], reply: InstallationStatus },
      { staff: 'read-status' },
    ),
    status,
  )
}

function viewOf({ createdAt, ...stop }: Stop) {
  return { ...stop, since: new Date(createdAt).toISOString() }
}
