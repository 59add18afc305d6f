import { z } from 'zod'
import { sensitive, staffRoutes } from '../staff-route.ts'
import { Removed } from '../../../contract/staff/session.ts'
import { OpenSessionList, StaffSessionId } from '../../../contract/staff/sessions.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const route = staffRoutes('sessions')

/** One's own open sessions. */
export function openSessionRoutes(app: Server, { access }: ConsoleRouteOptions): void {
  app.get('/api/staff/v1/sessions', route('signed-in', { summary: 'List own sessions', reply: OpenSessionList }), async (request) => {
    const { member, sessionId } = staffOf(request)
    const sessions = (await access.sessionsOf(member.id)).map(({ id, createdAt, usedAt, expiresAt }) => ({
      id,
      createdAt: new Date(createdAt).toISOString(),
      usedAt: new Date(usedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      isCurrent: id === sessionId,
    }))
    return { sessions }
  })

  app.delete(
    '/api/staff/v1/sessions/:session',
    route(sensitive('signed-in'), { summary: 'End an own session', params: z.object({ session: StaffSessionId }), reply: Removed }),
    async (request, reply) => {
      const { id } = staffOf(request).member
      return (await access.endSession(id, request.params.session)) ? { removed: true as const } : reject(reply, 'not_found')
    },
  )
}
