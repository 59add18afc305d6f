import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { ErasureReply, ReceiptKeys, OwnerQuery } from '../../contract/rights.ts'
import { clearConsentCookie, clearVisitorCookie } from '../platform/cookies.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const answers = { 200: ErasureReply, default: Problem }
const description = 'Stops running turns, deletes the data, verifies the deletion and returns a signed receipt. Takes no body.'

/** Deletes one chat, all chats, or all data of the visitor. */
export function erasureRoutes(app: Server, { rights }: RouteOptions): void {
  const one = { params: z.object({ key: SessionId }), querystring: OwnerQuery, response: answers, description }
  app.delete(
    '/api/v1/sessions/:key',
    { schema: { summary: 'Delete a session', tags: ['rights'], ...one }, config: { caller: 'query' } },
    async (request, reply) => {
      return (await rights.eraser.session(request.caller.access, request.params.key)) ?? reject(reply, 'not_found')
    },
  )

  const all = { querystring: OwnerQuery, response: answers, description }
  app.delete(
    '/api/v1/sessions',
    { schema: { summary: 'Delete all sessions', tags: ['rights'], ...all }, config: { caller: 'query' } },
    async (request) => {
      return rights.eraser.sessions(request.caller.access)
    },
  )

  app.delete(
    '/api/v1/me',
    { schema: { summary: 'Delete all data of the visitor', tags: ['rights'], ...all }, config: { caller: 'query' } },
    async (request, reply) => {
      const erased = await rights.eraser.everything(request.caller.access)
      clearVisitorCookie(request, reply)
      clearConsentCookie(request, reply)
      // Not "cookies": that would also clear cookies of the operator's other sites under the same domain.
      reply.header('clear-site-data', '"storage"')
      return erased
    },
  )

  const keys = {
    summary: 'Retrieve the public keys of deletion receipts',
    tags: ['rights'],
    response: { 200: ReceiptKeys, default: Problem },
  }
  app.get('/.well-known/parley-receipts.json', { schema: keys }, () => rights.receipts.publicKeys())
}
