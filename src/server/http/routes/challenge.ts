import { z } from 'zod'
import { Problem } from '../../../contract/problem.ts'
import { Challenge } from '../../../contract/proof-of-work.ts'
import { reject } from '../problems.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

/** Work ahead of a prompt, for clients that know that they will be asked. */
export function challengeRoute(app: Server, { limits }: Pick<RouteOptions, 'limits'>): void {
  const schema = {
    summary: 'A challenge to solve, where prompts need proof of work',
    tags: ['chat'],
    description:
      'ALTCHA, version 2. The solution goes into the header `Proof-Of-Work` of one prompt: `{"challenge", "solution": {"counter", "derivedKey"}}`, ' +
      'as JSON in Base64. A prompt without one, where it is asked for, is rejected with `proof_of_work_required` and brings a challenge too.',
    querystring: z.strictObject({}),
    response: { 200: Challenge, default: Problem },
  }
  app.get('/api/v1/challenge', { schema }, async (request, reply) => (await limits.challenge(request)) ?? reject(reply, 'not_found'))
}
