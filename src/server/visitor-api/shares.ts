import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { NewShare, Share, SharedChat, ShareId, ShareList, ShareRevoked } from '../../contract/chat/shares.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import { findSession } from '../store/sessions/sessions.ts'
import { deleteShare, findSharedChat, insertShare, listShares } from '../store/sessions/shares.ts'
import { newSessionId } from '../turns/ids.ts'
import { sharedMessages } from '../visitors/shared-messages.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const tags = ['sharing']
const querystring = OwnerQuery

/** Shared links. If the operator turns sharing off, existing links stop working. */
export function shareRoutes(app: Server, { database, configuration, rights }: RouteOptions): void {
  const make = { tags, params: z.object({ key: SessionId }), querystring, body: NewShare, response: { 200: Share, default: Problem } }
  const description = 'The link, `#/shared?id=…`, shows messages and sources of the chat as it is now, and nothing about the visitor.'
  app.post(
    '/api/v1/sessions/:key/shares',
    { schema: { summary: 'Create a shared link', description, ...make }, config: { caller: 'query' } },
    async (request, reply) => {
      const { access } = request.caller
      const session = configuration().sharing ? await findSession(database, access, request.params.key) : undefined
      if (!session) return reject(reply, 'not_found')
      const messages = await sharedMessages(database, session.key)
      const expiresAt = access.now + request.body.days * DAY_MS
      const share = await insertShare(database, access, { id: newSessionId(), session: session.key, messages, expiresAt })
      return share === 'full' ? reject(reply, 'too_many_shares') : (share ?? reject(reply, 'not_found'))
    },
  )

  const list = { tags, querystring, response: { 200: ShareList, default: Problem } }
  app.get('/api/v1/shares', { schema: { summary: 'List shared links', ...list }, config: { caller: 'query' } }, async (request) => {
    const { caller } = request
    return { shares: caller.lists === null ? [] : await listShares(database, caller.access) }
  })

  const one = z.object({ id: ShareId })
  const named = OwnerQuery.extend({ session_id: SessionId.optional().describe('The shared session. Required without a credential.') })
  const revoke = { tags, params: one, querystring: named, response: { 200: ShareRevoked, default: Problem } }
  app.delete(
    '/api/v1/shares/:id',
    { schema: { summary: 'Revoke a shared link', ...revoke }, config: { caller: 'query' } },
    async (request, reply) => {
      const { id } = request.params
      const isRevoked = await rights.ledger.deleteRecorded(database, 'share', id, (transaction) =>
        deleteShare(transaction, request.caller.access, id, request.query.session_id),
      )
      return isRevoked ? { revoked: true as const } : reject(reply, 'not_found')
    },
  )

  const read = { tags, params: one, querystring: z.strictObject({}), response: { 200: SharedChat, default: Problem } }
  app.get(
    '/api/v1/shared/:id',
    { schema: { summary: 'Retrieve a shared chat', ...read }, config: { caller: 'credential' } },
    async (request, reply) => {
      reply.header('x-robots-tag', 'noindex')
      const shared = configuration().sharing ? await findSharedChat(database, request.params.id, request.caller.access) : undefined
      return shared ?? reject(reply, 'not_found')
    },
  )
}
