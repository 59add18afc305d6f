import { z } from 'zod'
import { NewStop, StopId, StopInForce, StopList } from '../../../contract/staff/stops.ts'
import { InstallationStatus } from '../../../contract/staff/status.ts'
import type { Server } from '../../platform/server.ts'
import { newStopId } from '../../staff/ids.ts'
import { deleteStop, insertStop, readStops, type Stop } from '../../store/staff/stops.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { Done, doneOrMissing, sensitive, staffRoutes } from '../staff-route.ts'

/** Routes for stops. Every process follows within a second. */
export function stopRoutes(app: Server, { database, record, now }: ConsoleRouteOptions): void {
  const route = staffRoutes('stops')

  app.get('/api/staff/v1/stops', route('read-status', { summary: 'List what is stopped', reply: StopList }), async () => ({
    stops: (await readStops(database)).stops.map(viewOf),
  }))

  app.post(
    '/api/staff/v1/stops',
    route(sensitive('change-stops'), { summary: 'Stop answers', body: NewStop, reply: StopInForce }),
    async (request) => {
      const stop = { ...request.body, id: newStopId(), createdAt: now() }
      await insertStop(database, stop, record(request, 'stop.start', stop.id))
      return viewOf(stop)
    },
  )

  app.delete(
    '/api/staff/v1/stops/:id',
    route(sensitive('change-stops'), { summary: 'End a stop', params: z.object({ id: StopId }), reply: Done }),
    async (request, reply) => {
      const { id } = request.params
      return doneOrMissing(reply, await deleteStop(database, id, record(request, 'stop.end', id)))
    },
  )
}

export function statusRoute(app: Server, { status }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/status',
    staffRoutes('status')('read-status', { summary: 'Retrieve the state of the installation', reply: InstallationStatus }),
    status,
  )
}

function viewOf({ createdAt, ...stop }: Stop) {
  return { ...stop, since: new Date(createdAt).toISOString() }
}
