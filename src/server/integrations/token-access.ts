import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenScope } from '../../contract/staff/token-scopes.ts'
import type { Agents } from '../answering/agents/agents.ts'
import type { Guard } from '../limits/guard.ts'
import type { TokenLimits } from '../limits/token-limits.ts'
import { bearerOf } from '../platform/bearer-token.ts'
import { reject } from '../platform/problems.ts'
import { isBrowser } from '../platform/request-checks.ts'
import type { StaffTokens } from '../staff/staff-tokens.ts'
import type { Database } from '../store/engine/database.ts'
import type { StaffToken } from '../store/staff/staff-tokens.ts'
import type { UnstoredAnswers } from '../turns/unstored-answers.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'

export interface IntegrationOptions {
  database: Database
  agents: Agents
  answers: UnstoredAnswers
  moderator: Pick<Moderator, 'check'> | null
  tokens: StaffTokens
  limits: TokenLimits
  guard: Guard
  name: string
  release: string
  now: () => number
}

const programs = new WeakMap<FastifyRequest, StaffToken>()

/** The token with which a program calls a route that `admitPrograms` guards. */
export function programOf(request: FastifyRequest): StaffToken {
  const program = programs.get(request)
  if (!program) throw new Error(`The route ${request.routeOptions.url} is open to others than programs`)
  return program
}

/** Admits programs with a token of this scope. Refuses browsers, whose visitors would read it; without such tokens there is no route. */
export function admitPrograms(scope: TokenScope, { tokens, guard }: Pick<IntegrationOptions, 'tokens' | 'guard'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const given = bearerOf(request)
    const found = given === undefined ? null : await tokens.find(given)
    if (found?.scopes.includes(scope) && !isBrowser(request)) {
      programs.set(request, found)
      return undefined
    }
    // Guesses are limited by network, as reads are.
    const limited = await guard.admitFrequent('read', { principal: null, address: request.ip })
    if (limited) return reject(reply, limited)
    if (!(await tokens.hasAny(scope))) return reject(reply, 'not_found')
    return reject(reply, isBrowser(request) ? 'cross_origin' : 'unauthorized')
  }
}
