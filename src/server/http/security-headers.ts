import type { FastifyRequest } from 'fastify'

export interface SecurityHeadersOptions {
  /** Origins that may show the page in a frame; nobody by default. */
  frameAncestors: readonly string[]
  /** Whether the page may have a worker of its own: it does the work that a prompt may need. */
  proofOfWork: 'off' | 'auto' | 'always'
  /** Whether the page may ask for the microphone. */
  voiceInput: boolean
}

type Headers = Readonly<Record<string, string>>

const ONE_YEAR_S = 365 * 24 * 60 * 60

/** What a browser can do and the page never asks for. */
const UNUSED_FEATURES = [
  'accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid', 'magnetometer',
  'microphone', 'midi', 'payment', 'screen-wake-lock', 'serial', 'usb',
] // biome-ignore format: one list

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** What is no page shows nothing, runs nothing and is kept nowhere, should a browser open it. */
export const API_HEADERS: Headers = {
  ...COMMON_HEADERS,
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/**
 * Makes the function that gives a reply its headers, errors and redirects included: those of the page, of the API's page
 * (whose package writes markup, through the policies that it and `openapi.ts` define), or of the API.
 */
export function createSecurityHeaders({
  frameAncestors,
  proofOfWork,
  voiceInput,
}: SecurityHeadersOptions): (request: FastifyRequest) => Headers {
  const framedBy = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"
  const trustedTypes = proofOfWork === 'off' ? 'service-worker' : 'service-worker proof-of-work'
  const features = voiceInput && {
    'permissions-policy': COMMON_HEADERS['permissions-policy'].replace('microphone=()', 'microphone=(self)'),
  }
  const page = { ...COMMON_HEADERS, ...features, 'content-security-policy': pagePolicy(trustedTypes, framedBy) }
  // The demonstration frames the page on its own site, which is no other's.
  const embedded = { ...COMMON_HEADERS, 'content-security-policy': pagePolicy(trustedTypes, ["'self'", ...frameAncestors].join(' ')) }
  const embedDemo = { ...COMMON_HEADERS, 'content-security-policy': `${pagePolicy("'none'", "'none'")}; frame-src 'self'` }
  const embedScript = { ...page, 'cross-origin-resource-policy': 'cross-origin' }
  const apiPage = { ...COMMON_HEADERS, 'content-security-policy': pagePolicy('dompurify default', "'none'") }
  const secure = { 'strict-transport-security': `max-age=${ONE_YEAR_S}` }
  const kinds: Record<Kind, Headers> = { page, embedded, embedDemo, embedScript, apiPage, api: API_HEADERS }
  return ({ protocol, url }) => ({ ...kinds[kindOf(url)], ...(protocol === 'https' && secure) })
}

/** A page loads its own files only, and no script stands in its HTML: there is nothing inline that would need a hash. */
function pagePolicy(trustedTypes: string, frameAncestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ')
}

type Kind = 'page' | 'embedded' | 'embedDemo' | 'embedScript' | 'apiPage' | 'api'

function kindOf(url: string): Kind {
  if (url.startsWith('/?embed')) return 'embedded'
  if (/^\/embed-demo\.html(?:\?|$)/.test(url)) return 'embedDemo'
  if (/^\/embed\.js(?:\?|$)/.test(url)) return 'embedScript'
  if (/^\/api\/docs(?:[/?]|$)/.test(url)) return 'apiPage'
  return /^\/(?:api|\.well-known)(?:[/?]|$)|^\/(?:healthz|readyz|metrics)(?:\?|$)/.test(url) ? 'api' : 'page'
}
