import { z } from 'zod'
import { SessionId } from '../../../contract/chat.ts'
import { Problem } from '../../../contract/problem.ts'
import { Me, SessionDetail, SessionList } from '../../../contract/sessions.ts'
import { describeVisitor } from '../../visitors/describe-visitor.ts'
import { findSession, listMessages, listSessions } from '../../store/sessions.ts'
import { callerOf } from '../admission.ts'
import { refuse } from '../problems.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

/** The caller's sessions with everything that a page shows of them, and who the caller is. */
export function sessionRoutes(app: Server, { database, resolve }: RouteOptions): void {
  const list = { querystring: z.strictObject({}), response: { 200: SessionList, default: Problem } }
  app.get(
    '/api/v1/sessions',
    { schema: { summary: 'List sessions, newest activity first', tags: ['sessions'], ...list } },
    async (request, reply) => {
      const caller = await callerOf(resolve, request, reply)
      if (!caller) return reply
      return { sessions: caller.lists === null ? [] : await listSessions(database, caller.access) }
    },
  )

  const detail = {
    params: z.object({ key: SessionId }),
    querystring: z.strictObject({}),
    response: { 200: SessionDetail, default: Problem },
  }
  app.get(
    '/api/v1/sessions/:key',
    { schema: { summary: 'Load one session with its messages', tags: ['sessions'], ...detail } },
    async (request, reply) => {
      const caller = await callerOf(resolve, request, reply)
      if (!caller) return reply
      const session = await findSession(database, caller.access, request.params.key)
      if (!session) return refuse(reply, 'not_found')
      return { ...session, messages: await listMessages(database, session.key) }
    },
  )

  const me = { querystring: z.strictObject({}), response: { 200: Me, default: Problem } }
  app.get('/api/v1/me', { schema: { summary: 'The visitor who calls', tags: ['visitors'], ...me } }, async (request, reply) => {
    const caller = await callerOf(resolve, request, reply)
    if (!caller) return reply
    return { visitor: caller.sub === null ? null : await describeVisitor(database, caller.sub) }
  })
}
