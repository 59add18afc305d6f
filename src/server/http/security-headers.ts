/** The page loads its own files only, runs no inline script, and is framed by nobody. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const API_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export const API_HEADERS = { ...COMMON_HEADERS, 'content-security-policy': API_POLICY, 'cache-control': 'no-store' }
const PAGE_HEADERS = { ...COMMON_HEADERS, 'content-security-policy': PAGE_POLICY }

/** The headers that every reply has, errors included. */
export function securityHeadersFor(url: string): Record<string, string> {
  return url.startsWith('/api/') && !url.startsWith('/api/docs') ? API_HEADERS : PAGE_HEADERS
}
