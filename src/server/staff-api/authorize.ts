import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasRight, type StaffRight } from '../../contract/staff/roles.ts'
import { collectionHas, rightOfScope, type WriteScope } from '../../contract/staff/token-scopes.ts'
import { bearerOf } from '../platform/bearer-token.ts'
import { reject } from '../platform/problems.ts'
import { isWrite } from '../platform/request-checks.ts'
import type { Server } from '../platform/server.ts'
import type { SignedInStaff, StaffAccess } from '../staff/staff-access.ts'
import { rejectStaff } from './reject-staff.ts'
import type { StaffTokens } from '../staff/staff-tokens.ts'
import { tokenActor } from '../staff/audit.ts'
import type { StaffToken } from '../store/staff/staff-tokens.ts'
import type { StaffCookie } from './staff-cookie.ts'

/** Who may call a route: anybody, everybody who is signed in, or roles with a right. */
export type StaffAudience = 'anybody' | 'signed-in' | StaffRight

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route of the staff API says it. */
    staff?: StaffAudience
    /** Whether the sign-in has to be recent: of the last 15 minutes, or `just`, of the last five. */
    isSensitive?: true | 'just'
    /** Scopes that also open the route, for what has an id in the token's collection. */
    scopes?: readonly WriteScope[]
  }

  interface FastifyRequest {
    signedIn: SignedInStaff | null
    /** The token with which a script changes its collection. */
    program: StaffToken | null
  }
}

/** Who calls, on a route that only those who are signed in, and scripts, can call. */
export function staffOf({ signedIn }: FastifyRequest): SignedInStaff {
  if (!signedIn) throw new Error('A route for staff was called by somebody else')
  return signedIn
}

interface AuthorizationOptions {
  access: StaffAccess
  tokens: StaffTokens
  cookie: StaffCookie
  /** Origin of the console; its port is known once it listens. */
  origin: () => string
}

/**
 * Lets only those call a route whom its configuration names, before the body is read. A write must come from the console's own page or with
 * a token, and a read must not come from another site, which may be another port of the same host.
 */
export function authorizeStaff(app: Server, { access, tokens, cookie, origin }: AuthorizationOptions): void {
  app.decorateRequest('signedIn', null)
  app.decorateRequest('program', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/api/') && config?.staff === undefined && !config?.rejectsMethod)
      throw new Error(`${url} doesn't say who may call it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { staff, isSensitive } = request.routeOptions.config
    if (request.headers.host !== new URL(origin()).host) return reject(reply, 'host_not_allowed')
    if (staff === undefined) return undefined
    const token = staff === 'anybody' ? undefined : bearerOf(request)
    if (isFromElsewhere(request, origin(), token !== undefined)) return rejectStaff(reply, 'origin_not_allowed')
    if (token !== undefined && staff !== 'anybody') return rejectTokenUnless(await tokens.find(token), staff, request, reply)
    const secret = cookie.read(request, 'session')
    request.signedIn = secret === null ? null : await access.find(secret)
    return staff === 'anybody' ? undefined : rejectUnless(request.signedIn, staff, isSensitive, reply)
  })
  // What is created has its id in the body.
  app.addHook('preHandler', async ({ program, params, body }, reply) => {
    const isElsewhere = program && !('id' in (params as object)) && !mayWrite(program, (body as { id?: unknown }).id)
    return isElsewhere ? rejectStaff(reply, 'token_insufficient') : undefined
  })
}

/** A token reads what its scopes name, and changes only what has an id in its collection. */
function rejectTokenUnless(
  token: StaffToken | null,
  audience: Exclude<StaffAudience, 'anybody'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!token) return rejectStaff(reply, 'token_invalid')
  const { id } = request.params as { id?: string }
  if (request.routeOptions.config.scopes?.some((scope) => token.scopes.includes(scope)) && (id === undefined || mayWrite(token, id))) {
    request.program = token
    request.signedIn = programAsStaff(token)
    return undefined
  }
  const isAllowed = !isWrite(request) && audience !== 'signed-in' && token.scopes.some((scope) => rightOfScope(scope) === audience)
  return isAllowed ? undefined : rejectStaff(reply, 'token_insufficient')
}

function mayWrite({ collection }: StaffToken, id: unknown): boolean {
  return collection !== null && typeof id === 'string' && collectionHas(collection, id)
}

/** The author of a script's changes. The role has no right to change anything, beside the routes that the scopes open. */
function programAsStaff({ id, name, expiresAt }: StaffToken): SignedInStaff {
  const member = { id: tokenActor(id), name, role: 'viewer', isFromProvider: false } as const
  return { member, isConfirmed: false, isJustConfirmed: false, expiresAt }
}

function isFromElsewhere(request: FastifyRequest, origin: string, hasToken: boolean): boolean {
  const { 'sec-fetch-site': site, origin: sender } = request.headers
  if (isWrite(request) && !(hasToken && sender === undefined)) return sender !== origin
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function rejectUnless(
  signedIn: SignedInStaff | null,
  audience: Exclude<StaffAudience, 'anybody'>,
  isSensitive: true | 'just' | undefined,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!signedIn) return rejectStaff(reply, 'sign_in_required')
  if (audience !== 'signed-in' && !hasRight(signedIn.member.role, audience)) return rejectStaff(reply, 'role_insufficient')
  const isRecent = isSensitive === 'just' ? signedIn.isJustConfirmed : signedIn.isConfirmed
  return isSensitive && !isRecent ? rejectStaff(reply, 'confirmation_required') : undefined
}
