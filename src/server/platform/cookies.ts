import type { FastifyReply, FastifyRequest } from 'fastify'
import { DOCTOR_COOKIE } from '../../contract/chat/seen-request.ts'
import { CONSENT_COOKIE } from '../../contract/size-limits.ts'

const VISITOR = 'visitor'
const VISITOR_MAX_AGE_S = 30 * 24 * 60 * 60

/** All values of the visitor cookie: a browser sends one, more are a mistake or an attack. */
export function visitorCookiesOf(request: FastifyRequest): string[] {
  return cookiesOf(request, cookieName(request, VISITOR))
}

export function hasConsented(request: FastifyRequest): boolean {
  return cookiesOf(request, CONSENT_COOKIE).includes('true')
}

/** Sets the visitor's key for 30 days, or on a shared computer until the browser closes. */
export function setVisitorCookie(request: FastifyRequest, reply: FastifyReply, key: string, device?: 'shared'): void {
  // Replaces an earlier `Set-Cookie` of the same name, such as one that clears an invalid key.
  const others = [reply.getHeader('set-cookie') ?? []]
    .flat()
    .map(String)
    .filter((other) => !other.startsWith(`${cookieName(request, VISITOR)}=`))
  reply.removeHeader('set-cookie').header('set-cookie', [...others, cookie(request, VISITOR, key, device ? null : VISITOR_MAX_AGE_S)])
}

/** A caller's key, which expires on a shared computer only, and whether its cookie was of no use. */
interface CookieOwner {
  key: { expiresAt: number | null } | null
  staleCookie: boolean
}

/** Renews the caller's cookie for 30 days, except on a shared computer. */
export function renewVisitorCookie(request: FastifyRequest, reply: FastifyReply, { key, staleCookie }: CookieOwner): void {
  const [value] = visitorCookiesOf(request)
  if (value && key?.expiresAt === null && !staleCookie) setVisitorCookie(request, reply, value)
}

export function clearVisitorCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', cookie(request, VISITOR, '', 0))
}

/** Sets a cookie like a visitor's, which expires at once. Returns the header. */
export function setDoctorCookie(request: FastifyRequest, reply: FastifyReply): string {
  const header = cookie(request, DOCTOR_COOKIE, '1', 0)
  reply.header('set-cookie', header)
  return header
}

export function hasCookie(request: FastifyRequest, name: string): boolean {
  return cookiesOf(request, name).length > 0
}

/** The names of this server's cookies, for the data report. */
export function cookieNamesOf(request: FastifyRequest): { visitor: string; consent: string } {
  return { visitor: cookieName(request, VISITOR), consent: CONSENT_COOKIE }
}

/** Withdraws the consent; the page shows the privacy notice again. */
export function clearConsentCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { site, secure } = reachOf(request, 'Lax')
  reply.header('set-cookie', `${CONSENT_COOKIE}=; Path=/; ${site}; Max-Age=0${secure}`)
}

// The prefix binds the cookie to this host and to https; browsers refuse it on plain http.
const cookieName = (request: FastifyRequest, name: string): string => (request.protocol === 'https' ? `__Host-${name}` : name)

/** Lasts until the browser is closed when `maxAgeS` is null. */
function cookie(request: FastifyRequest, name: string, value: string, maxAgeS: number | null): string {
  const { site, secure } = reachOf(request, 'Strict')
  const maxAge = maxAgeS === null ? '' : `; Max-Age=${maxAgeS}`
  return `${cookieName(request, name)}=${value}; Path=/; HttpOnly; ${site}${maxAge}${secure}`
}

/** Whether the request is from a page in a frame of another site, which says so by a header that no form can send. */
export function isFramed({ headers }: FastifyRequest): boolean {
  return headers['embedded'] !== undefined
}

/**
 * The cookies of a page in a frame are partitioned by the embedding site
 * (https://developer.mozilla.org/docs/Web/Privacy/Guides/Privacy_sandbox/Partitioned_cookies), so they identify nobody elsewhere.
 */
function reachOf(request: FastifyRequest, sameSite: 'Lax' | 'Strict'): { site: string; secure: string } {
  if (isFramed(request)) return { site: 'SameSite=None; Partitioned', secure: '; Secure' }
  return { site: `SameSite=${sameSite}`, secure: request.protocol === 'https' ? '; Secure' : '' }
}

function cookiesOf(request: FastifyRequest, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
