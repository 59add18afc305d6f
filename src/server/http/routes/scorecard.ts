import { z } from 'zod'
import { Problem } from '../../../contract/problem.ts'
import { Scorecard } from '../../../contract/scorecard.ts'
import { reject } from '../problems.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

const ONE_HOUR_S = 60 * 60

/** What the operator publishes about the answers. */
export function scorecardRoute(app: Server, { scorecard }: RouteOptions): void {
  const schema = {
    summary: 'Retrieve the scorecard',
    description:
      'Figures of the last 30 days that the operator publishes with `SCORECARD`. Sums over all visitors that change once a day; none of fewer than five prompts.',
    tags: ['installation'],
    querystring: z.strictObject({}),
    response: { 200: Scorecard, default: Problem },
  }
  app.get('/api/v1/scorecard', { schema }, async (_request, reply) => {
    if (!scorecard) return reject(reply, 'not_found')
    const read = await scorecard()
    reply.header('cache-control', `public, max-age=${ONE_HOUR_S}`)
    return read
  })
}
