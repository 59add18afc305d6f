import { z } from 'zod'
import { Problem } from '../../../contract/problem.ts'
import { Turn, TurnId } from '../../../contract/sessions.ts'
import { callerOf } from '../admission.ts'
import { sendEventStream } from '../event-stream.ts'
import { claimOf, RepeatableHeaders } from '../idempotency.ts'
import { refuse } from '../problems.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

const PATH = '/api/v1/turns/:turn'
const params = z.object({ turn: TurnId })
const querystring = z.strictObject({})
const nothing = z.strictObject({})
const answers = { 200: Turn, default: Problem }

/** A turn goes on without its reader; these calls look at it, follow it, stop it and try it again. */
export function turnRoutes(app: Server, { resolve, turns }: RouteOptions): void {
  app.get(
    PATH,
    { schema: { summary: 'The state of a turn', tags: ['turns'], params, querystring, response: answers } },
    async (request, reply) => {
      const caller = await callerOf(resolve, request, reply)
      if (!caller) return reply
      return (await turns.find(caller.access, request.params.turn)) ?? refuse(reply, 'not_found')
    },
  )

  const description =
    'Replays the turn and then follows it, as an AI SDK UI message stream whose events are numbered. ' +
    '`Last-Event-ID` goes on after that event. A `start` chunk means that the message begins anew.'
  const follow = { summary: 'Follow a turn', tags: ['turns'], params, querystring, description }
  app.get(`${PATH}/stream`, { schema: follow, exposeHeadRoute: false }, async (request, reply) => {
    const after = lastEventIdOf(request.headers['last-event-id'])
    if (after === undefined) return refuse(reply, 'invalid_request')
    const caller = await callerOf(resolve, request, reply)
    if (!caller) return reply
    const outcome = await turns.follow(caller.access, request.params.turn)
    return outcome.kind === 'refused' ? refuse(reply, outcome.code) : sendEventStream(reply, outcome.following, after)
  })

  const stop = { summary: 'Stop a turn; what was written is kept', tags: ['turns'], params, querystring, body: nothing, response: answers }
  app.post(`${PATH}/stop`, { schema: stop }, async (request, reply) => {
    const caller = await callerOf(resolve, request, reply)
    if (!caller) return reply
    return (await turns.stop(caller.access, request.params.turn)) ?? refuse(reply, 'not_found')
  })

  const retry = {
    summary: 'Answer the prompt of an ended turn again',
    tags: ['turns'],
    params,
    querystring,
    headers: RepeatableHeaders,
    body: nothing,
    response: answers,
  }
  app.post(`${PATH}/retry`, { schema: retry }, async (request, reply) => {
    const caller = await callerOf(resolve, request, reply)
    if (!caller) return reply
    const claim = claimOf(request.headers, caller.access, ['retry', request.params.turn])
    const outcome = await turns.retry(caller.access, request.params.turn, claim)
    if (outcome.kind === 'refused') return refuse(reply, outcome.code, outcome.turn ? { turn: outcome.turn } : {})
    if (outcome.kind === 'repeated') return (await turns.find(caller.access, outcome.turn.id)) ?? refuse(reply, 'not_found')
    return { id: outcome.turn.id, session: outcome.turn.sessionId, status: 'running' as const, code: null }
  })
}

/** The number of the last event that a reader has; 0 for none, undefined for what is no such number. */
function lastEventIdOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return 0
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}
