import { CONSENT_COOKIE } from '../../../contract/limits.ts'
import { forgetStoredLanguage } from '../../language/language.ts'
import { changes } from '../../state/application-store.ts'
import { forgetStoredSession } from '../../state/stored-session.ts'
import { forgetStoredTheme } from '../../ui/theme.ts'
import { consentCookie, readConsent } from './consent-cookie.ts'

export const VERSION_KEY = 'privacy-notice-version'

/** Takes over what the visitor decided earlier; asks when nothing was decided, or about another version of the notice. */
export function recallConsent(noticeVersion: string): void {
  const decision = readConsent(document.cookie)
  if (decision && localStorage.getItem(VERSION_KEY) === noticeVersion) changes.policyAccepted()
  else if (decision !== false) changes.noticeOpened()
}

/** Accepts the version of the notice that was shown; from now on the page may store and send. */
export function acceptPolicy(noticeVersion: string): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API needs https
  document.cookie = consentCookie(true, location.protocol === 'https:')
  localStorage.setItem(VERSION_KEY, noticeVersion)
  changes.policyAccepted()
  changes.noticeClosed()
}

/** Declines or withdraws; what the page stored on this device goes. */
export function declinePolicy(): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API needs https
  document.cookie = consentCookie(false, location.protocol === 'https:')
  forgetStored()
}

/** As if nothing had ever been decided or stored: the next visit asks again. */
export function forgetDecision(): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API needs https
  document.cookie = `${CONSENT_COOKIE}=; Max-Age=0; Path=/`
  forgetStored()
}

function forgetStored(): void {
  localStorage.removeItem(VERSION_KEY)
  forgetStoredSession()
  forgetStoredTheme()
  forgetStoredLanguage()
  changes.policyDeclined()
  changes.noticeClosed()
}
