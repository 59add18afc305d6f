import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { OneMessage, RegenerateBody, SessionSummary, Turn } from '../../contract/chat/sessions.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import { chooseBranch } from '../store/sessions/branches.ts'
import { findSession } from '../store/sessions/sessions.ts'
import { wantsStream } from '../platform/event-stream.ts'
import { PROMPT_ROUTE } from './requests/request-limits.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import { RepeatableHeaders } from './requests/idempotency.ts'
import type { RouteOptions } from './route-options.ts'
import { startTurn } from './start-turn.ts'

const params = z.object({ key: SessionId })
const querystring = OwnerQuery

/** Regenerates answers and switches between versions. Edited prompts are sent as prompts. */
export function branchRoutes(app: Server, options: RouteOptions): void {
  const { database, turns } = options
  const regenerate = {
    summary: 'Regenerate an answer',
    tags: ['sessions'],
    description:
      'Saves earlier answers as versions. With `Accept: text/event-stream`, the new answer is streamed as an AI SDK UI message stream.',
    params,
    querystring,
    headers: RepeatableHeaders,
    body: RegenerateBody,
    response: { 200: Turn, default: Problem },
  }
  app.post(
    '/api/v1/sessions/:key/regenerate',
    { schema: regenerate, config: { ...PROMPT_ROUTE, caller: 'query' } },
    async (request, reply) => {
      const { params: path, body, caller } = request
      const { message, context } = body
      return startTurn(options, request, reply, {
        continues: path.key,
        identity: ['regenerate', path.key, { message }],
        pageContext: context,
        isStreamed: wantsStream(request),
        start: (turn) => turns.regenerate(caller.access, { session: path.key, message }, turn),
      })
    },
  )

  const branch = {
    summary: 'Switch to another version of a message',
    tags: ['sessions'],
    params,
    querystring,
    body: OneMessage,
    response: { 200: SessionSummary, default: Problem },
  }
  app.post('/api/v1/sessions/:key/branch', { schema: branch, config: { caller: 'query' } }, async (request, reply) => {
    const { key } = request.params
    const { caller } = request
    const outcome = await chooseBranch(database, { id: key, access: caller.access }, request.body.message)
    if (outcome.kind === 'rejected') return reject(reply, outcome)
    return (await findSession(database, caller.access, key)) ?? reject(reply, 'not_found')
  })
}
