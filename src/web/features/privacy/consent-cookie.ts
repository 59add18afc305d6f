import { CONSENT_COOKIE } from '../../../contract/size-limits.ts'
import { readCookie } from '../../../ui/storage/page-cookie.ts'

export function readConsent(cookies: string): boolean | null {
  const value = readCookie(cookies, CONSENT_COOKIE)
  return value === 'true' ? true : value === 'false' ? false : null
}
