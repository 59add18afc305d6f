import type { FastifyRequest } from 'fastify'
import { API_HEADERS } from '../platform/security-headers.ts'

/** The console loads only its own files, runs no inline scripts, makes no markup from text, and is in no frame. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const ONE_YEAR_S = 365 * 24 * 60 * 60

/** Selects the headers of a reply of the console: for its API, or for its page. */
export function createConsoleHeaders(isHttps: boolean): (request: FastifyRequest) => Readonly<Record<string, string>> {
  const secure = isHttps && { 'strict-transport-security': `max-age=${ONE_YEAR_S}` }
  // Passkeys need their feature; everything else that visitors' pages can't use stays off here too.
  const api = { ...API_HEADERS, ...secure }
  const { 'cache-control': _, ...common } = API_HEADERS
  const page = {
    ...common,
    ...secure,
    'content-security-policy': PAGE_POLICY,
    'permissions-policy': `${API_HEADERS['permissions-policy']}, publickey-credentials-create=(self), publickey-credentials-get=(self)`,
  }
  return ({ url }) => (url.startsWith('/api/') ? api : page)
}
