import { CONSENT_COOKIE, CONSENT_MAX_AGE_S } from '../../../contract/size-limits.ts'

/** The value of a cookie, from the text of `document.cookie`; null when there is none. */
export function readCookie(cookies: string, name: string): string | null {
  const values = cookies.split(';').map((cookie) => cookie.trim().split('='))
  return values.find(([other]) => other === name)?.[1] ?? null
}

/** What the visitor decided, from the text of `document.cookie`; null when nothing was. */
export function readConsent(cookies: string): boolean | null {
  const value = readCookie(cookies, CONSENT_COOKIE)
  return value === 'true' ? true : value === 'false' ? false : null
}

/** Where the page is: on https, and in a frame of another site's page, whose cookies are kept apart for that site. */
export interface Place {
  isHttps: boolean
  isEmbedded: boolean
}

/** How long a decision is kept: 180 days, until the browser is closed, or no longer. */
export type Lasting = 'long' | 'session' | 'gone'

const MAX_AGE: Record<Lasting, string> = { long: `; Max-Age=${CONSENT_MAX_AGE_S}`, session: '', gone: '; Max-Age=0' }

/** A cookie of the page's own, ready for `document.cookie`. */
export function pageCookie(name: string, value: string, lasting: Lasting, { isHttps, isEmbedded }: Place): string {
  const reach = isEmbedded ? 'SameSite=None; Partitioned; Secure' : `SameSite=Lax${isHttps ? '; Secure' : ''}`
  return `${name}=${value}${MAX_AGE[lasting]}; Path=/; ${reach}`
}
