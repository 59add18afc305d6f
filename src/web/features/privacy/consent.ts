import { CONSENT_COOKIE } from '../../../contract/size-limits.ts'
import { isEmbedded } from '../../api/embedded.ts'
import { changes } from '../../state/application-store.ts'
import { forgetDrafts } from '../../state/drafts.ts'
import { forgetStoredSession } from '../../state/stored-session.ts'
import { clearOfflineCache, VERSION_KEY } from '../../storage/offline-cache.ts'
import { deviceStorage } from '../../storage/storage.ts'
import { type ConsentLifetime, pageCookie, readConsent, readCookie } from './consent-cookie.ts'

/** Restores the visitor's decision. Asks if there is none, or if it was about another version of the notice. */
export function recallConsent(noticeVersion: string): void {
  const decision = readConsent(document.cookie)
  const version = deviceStorage.getItem(VERSION_KEY) ?? readCookie(document.cookie, VERSION_KEY)
  if (decision && version === noticeVersion) changes.policyAccepted()
  else if (decision !== false) changes.noticeOpened()
}

/** Accepts the shown version of the notice, which permits storing and sending. */
export function acceptPolicy(noticeVersion: string): void {
  keep(CONSENT_COOKIE, 'true', 'long')
  deviceStorage.setItem(VERSION_KEY, noticeVersion)
  // In a frame, cookies may be the only storage.
  if (isEmbedded) keep(VERSION_KEY, noticeVersion, 'long')
  changes.policyAccepted()
  changes.noticeClosed()
}

/** Declines or withdraws consent and clears what the page stored on this device. */
export function declinePolicy(): void {
  keep(CONSENT_COOKIE, 'false', 'long')
  forgetStored()
  changes.policyDeclined()
  changes.noticeClosed()
}

/** Clears decision and storage; the next visit asks again. */
export function clearConsent(): void {
  keep(CONSENT_COOKIE, '', 'gone')
  forgetStored()
  changes.policyDeclined()
  changes.noticeClosed()
}

/** Limits the decision to the browser session and stores nothing else. */
export function limitToBrowserSession(): void {
  keep(CONSENT_COOKIE, 'true', 'session')
  forgetStored()
}

function keep(name: string, value: string, lasting: ConsentLifetime): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API needs https
  document.cookie = pageCookie(name, value, lasting, { isHttps: location.protocol === 'https:', isEmbedded })
}

function forgetStored(): void {
  deviceStorage.clear()
  if (isEmbedded) keep(VERSION_KEY, '', 'gone')
  clearOfflineCache()
  forgetStoredSession()
  forgetDrafts()
}
