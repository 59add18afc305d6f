import { Problem } from '../../contract/problem.ts'
import { invalidField } from '../../contract/rejection.ts'
import { SearchQuery, SearchReply } from '../../contract/chat/search.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import { SearchCursor } from '../store/sessions/sessions.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

export function searchRoutes(app: Server, { searcher, cursors }: RouteOptions): void {
  const schema = {
    summary: 'Search titles and messages',
    tags: ['sessions'],
    description: 'Returns matching chats with excerpts, most recent activity first. Temporary chats are not searched.',
    querystring: OwnerQuery.extend(SearchQuery.shape),
    response: { 200: SearchReply, default: Problem },
  }
  app.get('/api/v1/search', { schema, config: { caller: 'query' } }, async (request, reply) => {
    const { caller } = request
    const { q: query, limit, cursor } = request.query
    const of = ['search', caller.access.owner, query]
    const after = cursor === undefined ? undefined : cursors.read(of, cursor, SearchCursor)
    if (cursor !== undefined && !after) return reject(reply, invalidField('query', 'cursor'))
    if (caller.lists === null) return { chats: [], next: null }
    const found = await searcher.search({ access: caller.access, query, limit, after })
    if (!found) return reject(reply, 'data_busy')
    return { chats: found.chats, next: found.next && cursors.write(of, found.next) }
  })
}
