import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import { Me } from '../../contract/chat/sessions.ts'
import { MAX_PROVIDER_VALUE_CHARACTERS, SignedOut, SignInAnswer, SignInBegun } from '../../contract/sign-in.ts'
import { ATTEMPT_LIFE_S } from '../../contract/size-limits.ts'
import { describeVisitor } from '../visitors/describe-visitor.ts'
import type { SignIn } from '../visitors/sign-in/sign-in.ts'
import { clearSignInCookie, clearVisitorCookie, setSignInCookie, setVisitorCookie, signInCookieOf } from '../platform/cookies.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const CALLBACK_PATH = '/api/v1/sign-in/callback'
/** Parameters of the provider's response that are passed to the page. */
const ANSWER_PARAMETERS = ['code', 'state', 'iss', 'error']
const tags = ['sign-in']
const querystring = z.strictObject({})
const nothing = z.strictObject({})

/** Sign-in and sign-out with the operator's provider. Only POSTs from the page change state. */
export function signInRoutes(app: Server, signIn: SignIn, { database, settings }: RouteOptions): void {
  const originOf = (request: FastifyRequest) => settings.publicUrl ?? `${request.protocol}://${request.host}`

  const begin = { tags, querystring, body: nothing, response: { 200: SignInBegun, default: Problem } }
  app.post(
    '/api/v1/sign-in',
    { schema: { summary: 'Start a sign-in', ...begin }, config: { caller: 'credential' } },
    async (request, reply) => {
      const outcome = await signIn.begin(originOf(request) + CALLBACK_PATH)
      if (outcome.kind === 'rejected') return reject(reply, outcome)
      setSignInCookie(request, reply, outcome.attempt, ATTEMPT_LIFE_S)
      return { address: outcome.address }
    },
  )

  // A cross-site navigation must not change state and carries no visitor cookie. So it only opens the page, which posts the
  // parameters after the `#` from our own origin.
  // Only the provider's redirect leads here, so the document leaves it out.
  app.get(CALLBACK_PATH, { schema: { hide: true } as never }, async (request, reply) => {
    const answer = Object.entries(request.query as Record<string, unknown>).filter(isAnswerParameter)
    return reply.redirect(`/#/chat?${new URLSearchParams(answer).toString()}`)
  })

  const complete = { tags, querystring, body: SignInAnswer, response: { 200: Me, default: Problem } }
  app.post(
    '/api/v1/sign-in/complete',
    { schema: { summary: 'Complete a sign-in', ...complete }, config: { caller: 'credential' } },
    async (request, reply) => {
      const outcome = await signIn.complete(request.caller, signInCookieOf(request), request.body)
      clearSignInCookie(request, reply)
      if (outcome.kind === 'rejected') return reject(reply, outcome)
      setVisitorCookie(request, reply, outcome.key, outcome.device)
      return { visitor: await describeVisitor(database, outcome.visitor) }
    },
  )

  const end = { tags, querystring, body: nothing, response: { 200: SignedOut, default: Problem } }
  app.post(
    '/api/v1/sign-out',
    { schema: { summary: 'Sign out on this device', ...end }, config: { caller: 'credential' } },
    async (request, reply) => {
      const address = await signIn.end(request.caller, `${originOf(request)}/`)
      clearVisitorCookie(request, reply)
      return { address }
    },
  )
}

function isAnswerParameter(entry: [string, unknown]): entry is [string, string] {
  const [name, value] = entry
  return ANSWER_PARAMETERS.includes(name) && typeof value === 'string' && value.length <= MAX_PROVIDER_VALUE_CHARACTERS
}
