import type { FastifyRequest } from 'fastify'

export interface SecurityHeadersOptions {
  frameAncestors: readonly string[]
  /** Embeds with a name, and the origins that can embed them if they have their own. They can change. */
  embeds: ReadonlyMap<string, { origins?: readonly string[] | undefined }>
  /** Origin of the staff console, which shows embeds; `null` while there is none. */
  consoleOrigin?: () => string | null
  /** Whether the page can start a worker, which solves proof-of-work challenges. */
  proofOfWork: 'off' | 'auto' | 'always'
  voiceInput: boolean
}

type Headers = Readonly<Record<string, string>>

const ONE_YEAR_S = 365 * 24 * 60 * 60

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

/** For replies that are not pages: opened in a browser, they show nothing, run nothing and are not cached. */
export const API_HEADERS: Headers = {
  ...COMMON_HEADERS,
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/**
 * Creates the function that selects the headers of a reply, including errors and redirects: for the page, for the API's page
 * (Swagger UI writes markup, through the policies that it and `openapi.ts` define), or for the API.
 */
export function createSecurityHeaders({
  frameAncestors,
  embeds,
  proofOfWork,
  voiceInput,
  consoleOrigin = () => null,
}: SecurityHeadersOptions): (request: FastifyRequest) => Headers {
  const framedBy = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"
  const trustedTypes = proofOfWork === 'off' ? 'service-worker highlight' : 'service-worker highlight proof-of-work'
  const features = voiceInput && {
    'permissions-policy': COMMON_HEADERS['permissions-policy'].replace('microphone=()', 'microphone=(self)'),
  }
  const page = { ...COMMON_HEADERS, ...features, 'content-security-policy': pagePolicy(trustedTypes, framedBy) }
  // The demo embeds the page on the same site, and the console the demo.
  const embeddedBy = (origins: readonly string[]) => ({
    ...COMMON_HEADERS,
    'content-security-policy': pagePolicy(trustedTypes, ["'self'", consoleOrigin() ?? '', ...origins].filter(Boolean).join(' ')),
  })
  const anyAncestor = () => [...new Set([...frameAncestors, ...[...embeds.values()].flatMap(({ origins = [] }) => origins)])]
  const embedDemo = () => ({ ...COMMON_HEADERS, 'content-security-policy': pagePolicy("'none'", consoleOrigin() ?? "'none'") })
  const diagram = (hash: string) => ({ ...COMMON_HEADERS, 'content-security-policy': diagramPolicy(hash, anyAncestor()) })
  // Browsers load a module of another origin only with CORS. These files are public.
  const publicScript = { ...page, 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }
  const apiPage = { ...COMMON_HEADERS, 'content-security-policy': pagePolicy('dompurify default', "'none'") }
  const secure = { 'strict-transport-security': `max-age=${ONE_YEAR_S}` }
  const kinds: Record<Exclude<Kind, 'embedded' | 'embedDemo'>, Headers> = { page, publicScript, apiPage, api: API_HEADERS }
  const headersOf = (kind: Kind, url: string): Headers => {
    if (kind === 'embedded') return embeddedBy(embeds.get(NAMED.exec(url)?.[1] ?? '')?.origins ?? frameAncestors)
    return kind === 'embedDemo' ? embedDemo() : kinds[kind]
  }
  return ({ protocol, url, routeOptions }) => {
    const hash = DIAGRAM_FRAME.exec(url)?.[1]
    const ai = CARRIES_ANSWERS.test(routeOptions.url ?? '') && AI_HEADERS
    return { ...ai, ...(hash ? diagram(hash) : headersOf(kindOf(routeOptions.url, url), url)), ...(protocol === 'https' && secure) }
  }
}

const NAMED = /^\/\?embed=([a-z0-9-]+)(?:&|$)/

const CARRIES_ANSWERS = /^\/api\/v1\/(?:agent|turns|sessions|search|me\/export)(?:\/|$)|^\/v1\/chat\/completions$/

/** Says that an AI system gave the content, as article 50 of the EU AI Act asks for. */
const AI_HEADERS: Headers = { 'x-ai-generated': 'true' }

/** The built document that renders diagrams. Its name contains the SHA-256 of its only script. */
const DIAGRAM_FRAME = /^\/assets\/diagram-([\w-]{43})\.html(?:\?|$)/

/** Policy of the document that renders untrusted diagrams: only its one script and inline styles, no network, an opaque origin. */
function diagramPolicy(hash: string, frameAncestors: readonly string[]): string {
  const base64 = `${hash.replaceAll('-', '+').replaceAll('_', '/')}=`
  return [
    "default-src 'none'",
    `script-src 'sha256-${base64}'`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...frameAncestors].join(' ')}`,
    'sandbox allow-scripts',
  ].join('; ')
}

/** A page loads only its own files and has no inline scripts. */
export const OWN_FILES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
]

function pagePolicy(trustedTypes: string, frameAncestors: string): string {
  return [
    ...OWN_FILES,
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join('; ')
}

type Kind = 'page' | 'embedded' | 'embedDemo' | 'publicScript' | 'apiPage' | 'api'

/**
 * The kind of a reply by its route's pattern. Only the wildcard of static files, and a target that no route matches, are decided by the
 * target itself; `request-checks.ts` rejects targets that could pass for another path.
 */
function kindOf(route: string | undefined, target: string): Kind {
  const url = route === undefined || route === '/' || route.includes('*') ? target : route
  if (target.startsWith('/?embed')) return 'embedded'
  if (/^\/embed-demo\.html(?:\?|$)/.test(url)) return 'embedDemo'
  if (/^\/(?:embed(?:-settings)?\.js|client\.(?:js|d\.ts))(?:\?|$)/.test(url)) return 'publicScript'
  if (/^\/api\/docs(?:[/?]|$)/.test(url)) return 'apiPage'
  return /^\/(?:api|\.well-known)(?:[/?]|$)|^\/(?:v1|mcp|healthz|readyz|metrics|doctor)(?:[/?]|$)/.test(url) ? 'api' : 'page'
}
