import type { FastifyReply, FastifyRequest } from 'fastify'
import { CONSENT_COOKIE } from '../../contract/limits.ts'
import type { Caller } from '../visitors/resolve.ts'

const VISITOR_MAX_AGE_S = 30 * 24 * 60 * 60

/** All values of the visitor cookie: a browser sends one, more are a mistake or an attack. */
export function visitorCookiesOf(request: FastifyRequest): string[] {
  return cookiesOf(request, visitorCookieName(request))
}

export function hasConsented(request: FastifyRequest): boolean {
  return cookiesOf(request, CONSENT_COOKIE).includes('true')
}

/** Gives the visitor their key to keep: for 30 days from now, or on a shared computer until the browser is closed. */
export function setVisitorCookie(request: FastifyRequest, reply: FastifyReply, key: string, device?: 'shared'): void {
  // Only the last word on a cookie is sent: a key that opens nothing may have been cleared before.
  const others = [reply.getHeader('set-cookie') ?? []]
    .flat()
    .map(String)
    .filter((cookie) => !cookie.startsWith(visitorCookieName(request)))
  reply.removeHeader('set-cookie').header('set-cookie', [...others, visitorCookie(request, key, device ? null : VISITOR_MAX_AGE_S)])
}

/** Another 30 days for the key that the caller's cookie holds. That of a shared computer stays as it is. */
export function renewVisitorCookie(request: FastifyRequest, reply: FastifyReply, { key, staleCookie }: Caller): void {
  const [cookie] = visitorCookiesOf(request)
  if (cookie && key?.expiresAt === null && !staleCookie) setVisitorCookie(request, reply, cookie)
}

export function clearVisitorCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', visitorCookie(request, '', 0))
}

// The prefix binds the cookie to this host and to https; browsers refuse it on plain http.
const visitorCookieName = (request: FastifyRequest): string => (request.protocol === 'https' ? '__Host-visitor' : 'visitor')

function visitorCookie(request: FastifyRequest, value: string, maxAgeS: number | null): string {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const maxAge = maxAgeS === null ? '' : `; Max-Age=${maxAgeS}`
  return `${visitorCookieName(request)}=${value}; Path=/; HttpOnly; SameSite=Strict${maxAge}${secure}`
}

function cookiesOf(request: FastifyRequest, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
