import { SearchTestQuery, SearchTestResult } from '../../../contract/staff/content/search-test.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { staffRoute } from '../staff-route.ts'

export function searchTestRoute(app: Server, { testSearch }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/search-test',
    staffRoute(
      { summary: 'Test the search of an agent’s knowledge', tags: ['knowledge'], querystring: SearchTestQuery, reply: SearchTestResult },
      { staff: 'read-knowledge' },
    ),
    async ({ query: { agent, query } }, reply) => (await testSearch(agent, query)) ?? reject(reply, 'not_found'),
  )
}
