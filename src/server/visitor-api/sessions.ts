import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { invalidField } from '../../contract/rejection.ts'
import {
  Me,
  MessagePage,
  MessagePageQuery,
  SessionDetail,
  SessionDetailQuery,
  SessionList,
  SessionListQuery,
} from '../../contract/chat/sessions.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import { describeVisitor } from '../visitors/visitor-key.ts'
import { findSession, listMessagePage, listSessionPage, SessionPlace } from '../store/sessions/sessions.ts'
import { searchChats } from '../visitors/search-chats.ts'
import { KeyedSemaphore, type SlotLimit } from '../../async/semaphore.ts'
import type { Cursors } from './requests/cursors.ts'
import { disconnectSignal } from './requests/request-limits.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'
import { SearchQuery, SearchReply } from '../../contract/chat/search.ts'

const PATH = '/api/v1/sessions/:key'
const params = z.object({ key: SessionId })
const tags = ['sessions']
/** Searches at a time: each reads a visitor's chats. */
const ALL_SEARCHES: SlotLimit = { key: 'searches', limit: 8 }

export function sessionRoutes(app: Server, { database, cursors }: RouteOptions): void {
  const list = { tags, querystring: OwnerQuery.extend(SessionListQuery.shape), response: { 200: SessionList, default: Problem } }
  const summary = 'List sessions, most recent activity first'
  app.get('/api/v1/sessions', { schema: { summary, ...list }, config: { caller: 'query' } }, async (request, reply) => {
    const { caller } = request
    const { limit, cursor } = request.query
    const of = ['sessions', caller.access.owner]
    const after = cursors.read(of, cursor, SessionPlace)
    if (after === null) return reject(reply, invalidField('query', 'cursor'))
    if (caller.lists === null) return { sessions: [], next: null }
    const { sessions, next } = await listSessionPage(database, caller.access, { ...(limit && { limit }), after })
    return { sessions, next: next && cursors.write(of, next) }
  })

  const detail = {
    tags,
    params,
    querystring: OwnerQuery.extend(SessionDetailQuery.shape),
    response: { 200: SessionDetail, default: Problem },
  }
  app.get(
    PATH,
    { schema: { summary: 'Retrieve a session with its newest messages', ...detail }, config: { caller: 'query' } },
    async (request, reply) => {
      const session = await findSession(database, request.caller.access, request.params.key)
      if (!session) return reject(reply, 'not_found')
      return { ...session, ...withCursor(cursors, session.key, await listMessagePage(database, session.key, request.query)) }
    },
  )

  const page = { tags, params, querystring: OwnerQuery.extend(MessagePageQuery.shape), response: { 200: MessagePage, default: Problem } }
  app.get(
    `${PATH}/messages`,
    { schema: { summary: 'List messages of a session', ...page }, config: { caller: 'query' } },
    async (request, reply) => {
      const { key } = request.params
      const { before: cursor, limit } = request.query
      const before = cursors.read(['messages', key], cursor, z.number())
      if (before === null) return reject(reply, invalidField('query', 'cursor'))
      const session = await findSession(database, request.caller.access, key)
      if (!session) return reject(reply, 'not_found')
      return withCursor(cursors, key, await listMessagePage(database, key, { before, limit }))
    },
  )

  const me = { querystring: OwnerQuery, response: { 200: Me, default: Problem } }
  app.get(
    '/api/v1/me',
    { schema: { summary: 'Retrieve the visitor', tags: ['visitors'], ...me }, config: { caller: 'query' } },
    async (request) => {
      const { caller } = request
      return { visitor: caller.sub === null ? null : describeVisitor(caller.sub) }
    },
  )
}

function withCursor(cursors: Cursors, key: string, { messages, earlier }: Awaited<ReturnType<typeof listMessagePage>>): MessagePage {
  return { messages, earlier: earlier === null ? null : cursors.write(['messages', key], earlier) }
}

export function searchRoutes(app: Server, { database, cursors }: RouteOptions): void {
  const running = new KeyedSemaphore()
  const schema = {
    summary: 'Search titles and messages',
    tags: ['sessions'],
    description: 'Returns matching chats with an excerpt, most recent activity first. Temporary chats are not searched.',
    querystring: OwnerQuery.extend(SearchQuery.shape),
    response: { 200: SearchReply, default: Problem },
  }
  app.get('/api/v1/search', { schema, config: { caller: 'query' } }, async (request, reply) => {
    const { caller } = request
    const { q: query, limit, cursor } = request.query
    const of = ['search', caller.access.owner, query]
    const after = cursors.read(of, cursor, SessionPlace)
    if (after === null) return reject(reply, invalidField('query', 'cursor'))
    if (caller.lists === null) return { chats: [], next: null }
    const release = running.tryAcquire([ALL_SEARCHES, { key: `searches of ${caller.lists}`, limit: 2 }])
    if (typeof release !== 'function') return reject(reply, 'data_busy')
    const signal = disconnectSignal(reply)
    try {
      const found = await searchChats(database, { access: caller.access, query, limit, after, signal })
      return { chats: found.chats, next: found.next && cursors.write(of, found.next) }
    } catch (cause) {
      if (signal.aborted) return reply
      throw cause
    } finally {
      release()
    }
  })
}
