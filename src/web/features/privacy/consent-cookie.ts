import { CONSENT_COOKIE, CONSENT_MAX_AGE_S } from '../../../contract/limits.ts'

/** What the visitor decided, from the text of `document.cookie`; null when nothing was. */
export function readConsent(cookies: string): boolean | null {
  const values = cookies.split(';').map((cookie) => cookie.trim().split('='))
  const value = values.find(([name]) => name === CONSENT_COOKIE)?.[1]
  return value === 'true' ? true : value === 'false' ? false : null
}

/** The cookie that keeps a decision for 180 days, ready for `document.cookie`. */
export function consentCookie(accepts: boolean, isHttps: boolean): string {
  return `${CONSENT_COOKIE}=${accepts}; Max-Age=${CONSENT_MAX_AGE_S}; Path=/; SameSite=Lax${isHttps ? '; Secure' : ''}`
}
