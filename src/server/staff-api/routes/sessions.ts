import { z } from 'zod'
import { sensitive, staffRoutes } from '../staff-route.ts'
import { Removed, StaffId } from '../../../contract/staff/session.ts'
import { OpenSessionList, StaffSessionId } from '../../../contract/staff/sessions.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const route = staffRoutes('sessions')

/** Open sessions: one's own, and for owners those of others. */
export function openSessionRoutes(app: Server, { access }: ConsoleRouteOptions): void {
  app.get('/api/staff/v1/sessions', route('signed-in', { summary: 'List own sessions', reply: OpenSessionList }), async (request) => ({
    sessions: await sessionsOf(staffOf(request).member.id, staffOf(request).sessionId),
  }))

  app.delete(
    '/api/staff/v1/sessions/:session',
    route(sensitive('signed-in'), { summary: 'End an own session', params: z.object({ session: StaffSessionId }), reply: Removed }),
    async (request, reply) => {
      const { id } = staffOf(request).member
      return (await access.endSession(id, request.params.session, id)) ? { removed: true as const } : reject(reply, 'not_found')
    },
  )

  app.get(
    '/api/staff/v1/staff/:id/sessions',
    route('manage-staff', { summary: 'List sessions of somebody', params: z.object({ id: StaffId }), reply: OpenSessionList }),
    async (request) => ({ sessions: await sessionsOf(request.params.id, staffOf(request).sessionId) }),
  )

  app.delete(
    '/api/staff/v1/staff/:id/sessions/:session',
    route(sensitive('manage-staff'), {
      summary: 'End a session of somebody',
      params: z.object({ id: StaffId, session: StaffSessionId }),
      reply: Removed,
    }),
    async (request, reply) => {
      const { id, session } = request.params
      const isEnded = await access.endSession(id, session, staffOf(request).member.id)
      return isEnded ? { removed: true as const } : reject(reply, 'not_found')
    },
  )

  async function sessionsOf(staffId: string, current: string) {
    const sessions = await access.sessionsOf(staffId)
    return sessions.map(({ id, createdAt, usedAt, expiresAt }) => ({
      id,
      createdAt: new Date(createdAt).toISOString(),
      usedAt: new Date(usedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      isCurrent: id === current,
    }))
  }
}
