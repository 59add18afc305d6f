import { CONSENT_COOKIE, CONSENT_MAX_AGE_S } from '../../../contract/size-limits.ts'

/** The value of a cookie in `document.cookie`; null if none. */
export function readCookie(cookies: string, name: string): string | null {
  const values = cookies.split(';').map((cookie) => cookie.trim().split('='))
  return values.find(([other]) => other === name)?.[1] ?? null
}

/** The visitor's decision in `document.cookie`; null if none. */
export function readConsent(cookies: string): boolean | null {
  const value = readCookie(cookies, CONSENT_COOKIE)
  return value === 'true' ? true : value === 'false' ? false : null
}

/** Context of the page: https, and embedding in another site, where cookies are partitioned. */
export interface Place {
  isHttps: boolean
  isEmbedded: boolean
}

/** Lifetime of the decision: 180 days, until the browser closes, or removed now. */
export type ConsentLifetime = 'long' | 'session' | 'gone'

const MAX_AGE: Record<ConsentLifetime, string> = { long: `; Max-Age=${CONSENT_MAX_AGE_S}`, session: '', gone: '; Max-Age=0' }

/** A cookie string for `document.cookie`. */
export function pageCookie(name: string, value: string, lasting: ConsentLifetime, { isHttps, isEmbedded }: Place): string {
  const reach = isEmbedded ? 'SameSite=None; Partitioned; Secure' : `SameSite=Lax${isHttps ? '; Secure' : ''}`
  return `${name}=${value}${MAX_AGE[lasting]}; Path=/; ${reach}`
}
