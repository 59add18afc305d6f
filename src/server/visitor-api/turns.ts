import { z } from 'zod'
import { AnswerAgain } from '../../contract/chat/page-context.ts'
import { ApprovalDecisions } from '../../contract/chat/approval.ts'
import { Problem } from '../../contract/problem.ts'
import { invalidField } from '../../contract/rejection.ts'
import { Turn, TurnEvents, TurnId } from '../../contract/chat/sessions.ts'
import { NoBody, OwnerQuery } from '../../contract/rights.ts'
import type { Turns } from '../turns/turns.ts'
import { wantsStream } from '../platform/event-stream.ts'
import { sendTurnEvents } from './requests/send-turn-events.ts'
import { RepeatableHeaders } from './requests/idempotency.ts'
import { disconnectSignal, STREAM_ROUTE, PROMPT_ROUTE } from './requests/request-limits.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'
import { startTurn } from './start-turn.ts'

const PATH = '/api/v1/turns/:turn'
const params = z.object({ turn: TurnId })
const querystring = OwnerQuery
const Seq = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
const LONGEST_WAIT_S = 20
const PollQuery = OwnerQuery.extend({
  after: Seq.optional().describe('Number of the last received event; 0 for none.'),
  wait: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number)
    .pipe(z.number().max(LONGEST_WAIT_S))
    .optional()
    .describe('Maximum seconds to wait for new events, 0 to 20. Defaults to 20.'),
})
const answers = { 200: Turn, default: Problem }

/** Calls to read, follow, stop, retry, continue and approve a turn. A turn does not depend on its readers. */
export function turnRoutes(app: Server, options: RouteOptions): void {
  const { turns, limits } = options
  app.get(
    PATH,
    {
      schema: { summary: 'Retrieve a turn', tags: ['turns'], params, querystring, response: answers },
      config: { caller: 'query' },
    },
    async (request, reply) => {
      return (await turns.find(request.caller.access, request.params.turn)) ?? reject(reply, 'not_found')
    },
  )

  const description =
    'Replays the turn and then follows it live, as an AI SDK UI message stream with numbered events. ' +
    '`Last-Event-ID` resumes after that event. A `start` chunk restarts the message.'
  const follow = { summary: 'Follow a turn', tags: ['turns'], params, querystring, description }
  app.get(
    `${PATH}/stream`,
    { schema: follow, exposeHeadRoute: false, config: { ...STREAM_ROUTE, caller: 'query' } },
    async (request, reply) => {
      const after = lastEventIdOf(request.headers['last-event-id'])
      if (after === undefined) return reject(reply, invalidField('header', 'Last-Event-ID'))
      if (!(await limits.stream(request, reply))) return reply
      const outcome = await turns.follow(request.caller.access, request.params.turn)
      return outcome.kind === 'rejected' ? reject(reply, outcome) : sendTurnEvents(reply, outcome.following, after)
    },
  )

  const poll = {
    summary: 'Poll a turn for new events',
    tags: ['turns'],
    description:
      'For networks that interrupt streams. Once a turn has ended, clients that have not read its end receive the whole message again, from `start`.',
    params,
    querystring: PollQuery,
    response: { 200: TurnEvents, default: Problem },
  }
  app.get(
    `${PATH}/events`,
    { schema: poll, exposeHeadRoute: false, config: { ...STREAM_ROUTE, caller: 'query' } },
    async (request, reply) => {
      if (!(await limits.stream(request, reply))) return reply
      const { after = 0, wait = LONGEST_WAIT_S } = request.query
      const signal = AbortSignal.any([disconnectSignal(reply), AbortSignal.timeout(wait * 1000)])
      const outcome = await turns.poll(request.caller.access, { turn: request.params.turn, after, signal })
      return outcome.kind === 'rejected' ? reject(reply, outcome) : { events: outcome.events, status: outcome.status }
    },
  )

  const shared = { tags: ['turns'], params, querystring, response: answers }
  const stop = { ...shared, summary: 'Stop a turn and save its partial answer', body: NoBody }
  app.post(`${PATH}/stop`, { schema: stop, config: { needsNoBody: true, caller: 'query' } }, async (request, reply) => {
    return (await turns.stop(request.caller.access, request.params.turn)) ?? reject(reply, 'not_found')
  })

  const startAgain = (how: 'retry' | 'continue', summary: string, start: Turns['retry']) => {
    const schema = { ...shared, summary, headers: RepeatableHeaders, body: AnswerAgain.nullish() }
    app.post(`${PATH}/${how}`, { schema, config: { ...PROMPT_ROUTE, needsNoBody: true, caller: 'query' } }, async (request, reply) => {
      const { turn } = request.params
      return startTurn(options, request, reply, {
        continues: turn,
        identity: [how, turn],
        pageContext: request.body?.context,
        isStreamed: false,
        start: (turnRequest) => start(request.caller.access, turn, turnRequest),
      })
    })
  }
  const approve = {
    ...shared,
    summary: 'Approve or reject tool calls',
    description:
      'Decides all parts of the answer in the state `approval-requested`, and starts a new turn. Possible once, within an hour, for the last message only. ' +
      'With `Accept: text/event-stream`, the new answer is streamed as an AI SDK UI message stream.',
    headers: RepeatableHeaders,
    body: ApprovalDecisions,
  }
  app.post(`${PATH}/approve`, { schema: approve, config: { ...PROMPT_ROUTE, caller: 'query' } }, async (request, reply) => {
    const { params: path, body, caller } = request
    return startTurn(options, request, reply, {
      continues: path.turn,
      identity: ['approve', path.turn, { decisions: body.decisions }],
      pageContext: body.context,
      isStreamed: wantsStream(request),
      start: (turn) => turns.approve(caller.access, { turn: path.turn, decisions: body.decisions }, turn),
    })
  })

  startAgain('retry', 'Retry the prompt of an ended turn', (...turn) => turns.retry(...turn))
  startAgain('continue', 'Continue an interrupted answer', (...turn) => turns.continueTurn(...turn))
}

/** Number of the last received event; 0 if none, `undefined` if invalid. */
function lastEventIdOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return 0
  return Seq.safeParse(header).data
}
