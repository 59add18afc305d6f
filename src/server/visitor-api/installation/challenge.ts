import { z } from 'zod'
import { Problem } from '../../../contract/problem.ts'
import { Challenge } from '../../../contract/proof-of-work.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { RouteOptions } from '../route-options.ts'

export function challengeRoute(app: Server, { limits }: Pick<RouteOptions, 'limits'>): void {
  const schema = {
    summary: 'Create a proof-of-work challenge',
    tags: ['chat'],
    description:
      'ALTCHA, version 2. Send the solution in the header `Proof-Of-Work` of one prompt: `{"challenge", "solution": {"counter", "derivedKey"}}`, ' +
      'as Base64-encoded JSON. If proof of work is required, a prompt without a solution is rejected with `proof_of_work_required` and a challenge.',
    querystring: z.strictObject({}),
    response: { 200: Challenge, default: Problem },
  }
  app.get('/api/v1/challenge', { schema }, async (request, reply) => (await limits.challenge(request)) ?? reject(reply, 'not_found'))
}
