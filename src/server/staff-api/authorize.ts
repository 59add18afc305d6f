import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasRight, type StaffRight } from '../../contract/staff/roles.ts'
import { bearerOf } from '../platform/bearer-token.ts'
import { reject } from '../platform/problems.ts'
import { isWrite } from '../platform/request-checks.ts'
import type { Server } from '../platform/server.ts'
import type { SignedInStaff, StaffAccess } from '../staff/staff-access.ts'
import { rejectStaff } from './reject-staff.ts'
import type { StaffTokens } from '../staff/staff-tokens.ts'
import type { StaffCookie } from './staff-cookie.ts'

/** Who may call a route: anybody, everybody who is signed in, or roles with a right. */
export type StaffAudience = 'anybody' | 'signed-in' | StaffRight

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route of the staff API says it. */
    staff?: StaffAudience
    /** Whether the sign-in has to be recent. */
    isSensitive?: true
  }

  interface FastifyRequest {
    signedIn: SignedInStaff | null
  }
}

/** Who calls, on a route that only those who are signed in can call. */
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
 * Lets only those call a route whom its configuration names, before the body is read. A write must come from the console's own page, and a
 * read must not come from another site, which may be another port of the same host.
 */
export function authorizeStaff(app: Server, { access, tokens, cookie, origin }: AuthorizationOptions): void {
  app.decorateRequest('signedIn', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/api/') && config?.staff === undefined && !config?.rejectsMethod)
      throw new Error(`${url} doesn't say who may call it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { staff, isSensitive } = request.routeOptions.config
    if (request.headers.host !== new URL(origin()).host) return reject(reply, 'host_not_allowed')
    if (staff === undefined) return undefined
    if (isFromElsewhere(request, origin())) return rejectStaff(reply, 'origin_not_allowed')
    const token = bearerOf(request)
    if (token !== undefined && staff !== 'anybody') return rejectTokenUnless(await tokens.rightsOf(token), staff, request, reply)
    const secret = cookie.read(request)
    request.signedIn = secret === null ? null : await access.find(secret)
    return staff === 'anybody' ? undefined : rejectUnless(request.signedIn, staff, isSensitive === true, reply)
  })
}

/** A token only reads, and only what its scopes name. */
function rejectTokenUnless(
  rights: ReadonlySet<StaffRight> | null,
  audience: Exclude<StaffAudience, 'anybody'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!rights) return rejectStaff(reply, 'token_invalid')
  return isWrite(request) || audience === 'signed-in' || !rights.has(audience) ? rejectStaff(reply, 'token_insufficient') : undefined
}

function isFromElsewhere(request: FastifyRequest, origin: string): boolean {
  const { 'sec-fetch-site': site, origin: sender } = request.headers
  if (isWrite(request)) return sender !== origin
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function rejectUnless(
  signedIn: SignedInStaff | null,
  audience: Exclude<StaffAudience, 'anybody'>,
  isSensitive: boolean,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!signedIn) return rejectStaff(reply, 'sign_in_required')
  if (audience !== 'signed-in' && !hasRight(signedIn.member.role, audience)) return rejectStaff(reply, 'role_insufficient')
  return isSensitive && !signedIn.isConfirmed ? rejectStaff(reply, 'confirmation_required') : undefined
}
