import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageContext } from '../../contract/chat/page-context.ts'
import type { Rejection } from '../../contract/rejection.ts'
import type { Turn } from '../../contract/chat/sessions.ts'
import type { Started, TurnRequest } from '../turns/started-turn.ts'
import { sendTurnEvents } from './requests/send-turn-events.ts'
import { acceptedLanguages } from './requests/accepted-languages.ts'
import { claimOf } from './requests/idempotency.ts'
import { reject } from '../platform/problems.ts'
import type { RouteOptions } from './route-options.ts'

/** A new turn of a chat that exists: regenerate, retry, continue or approve. */
export interface TurnStart {
  /** The session or turn that the new turn continues. */
  continues: string
  /** Tells the request from others with the same idempotency key: the call, its parameters and its body. */
  identity: readonly unknown[]
  pageContext?: PageContext
  isStreamed: boolean
  start: (request: TurnRequest) => Promise<Started | Rejection>
}

/** Admits a request for a turn, starts the turn, and responds with its stream or its state. */
export async function startTurn(
  options: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { continues, identity, pageContext, isStreamed, start }: TurnStart,
): Promise<Turn | FastifyReply | void> {
  const { limits } = options
  const { access } = request.caller
  if (isStreamed && !(await limits.stream(request, reply))) return reply
  const admission = await limits.prompt(request, reply, { continues })
  if (!admission) return reply
  const outcome = await admission.settle(
    start({
      claim: claimOf(request.headers, access, identity),
      embed: options.embedOf(request),
      pageContext,
      languages: acceptedLanguages(request.headers),
      ...admission.turnLimits,
    }),
  )
  if (outcome.kind === 'rejected') return reject(reply, outcome)
  return isStreamed ? sendTurnEvents(reply, outcome.turn.follow, 0) : respondWithState(options, request, reply, outcome)
}

async function respondWithState(
  { turns }: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, turn }: Started,
): Promise<Turn | FastifyReply> {
  if (kind === 'repeated') return (await turns.find(request.caller.access, turn.id)) ?? reject(reply, 'not_found')
  return { id: turn.id, session: turn.sessionId, status: 'running', code: null }
}
