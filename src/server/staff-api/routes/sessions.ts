import { z } from 'zod'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { Removed, StaffId } from '../../../contract/staff/session.ts'
import { OpenSessionList, StaffSessionId } from '../../../contract/staff/sessions.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const querystring = z.strictObject({})
const list = { querystring, tags: ['sessions'], response: { 200: OpenSessionList, default: StaffProblem } }
const end = { querystring, tags: ['sessions'], response: { 200: Removed, default: StaffProblem } }

/** Open sessions: one's own, and for owners those of others. */
export function openSessionRoutes(app: Server, { access }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/sessions',
    { schema: { summary: 'List own sessions', ...list }, config: { staff: 'signed-in' } },
    async (request) => ({ sessions: await sessionsOf(staffOf(request).member.id, staffOf(request).sessionId) }),
  )

  app.delete(
    '/api/staff/v1/sessions/:session',
    {
      schema: { summary: 'End an own session', params: z.object({ session: StaffSessionId }), ...end },
      config: { staff: 'signed-in', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = staffOf(request).member
      return (await access.endSession(id, request.params.session, id)) ? { removed: true as const } : reject(reply, 'not_found')
    },
  )

  app.get(
    '/api/staff/v1/staff/:id/sessions',
    {
      schema: { summary: 'List sessions of somebody', params: z.object({ id: StaffId }), ...list },
      config: { staff: 'manage-staff' },
    },
    async (request) => ({ sessions: await sessionsOf(request.params.id, staffOf(request).sessionId) }),
  )

  app.delete(
    '/api/staff/v1/staff/:id/sessions/:session',
    {
      schema: { summary: 'End a session of somebody', params: z.object({ id: StaffId, session: StaffSessionId }), ...end },
      config: { staff: 'manage-staff', isSensitive: true },
    },
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
