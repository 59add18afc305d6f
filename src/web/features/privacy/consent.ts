import { CONSENT_COOKIE, CONSENT_MAX_AGE_S } from '../../../contract/size-limits.ts'
import { withdrawNotices } from '../../api/calls.ts'
import { endsWithVisit, isEmbedded } from '../../api/embedded.ts'
import { rememberAcceptedNotice } from '../../state/accepted-notice.ts'
import { changes, useApplication } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { changeDraft, draftOf, forgetDrafts, NEW_CHAT } from '../../state/drafts.ts'
import { forgetStoredSession } from '../../state/stored-session.ts'
import { type CookieLifetime, readCookie, setPageCookie } from '../../../ui/storage/page-cookie.ts'
import { deviceStorage } from '../../../ui/storage/storage.ts'
import { readConsent } from './consent-cookie.ts'

/** Key of the accepted version, in the device's storage and in a frame's cookies. */
const VERSION_KEY = 'privacy-notice-version'

/** Restores the visitor's decision. Asks if there is none, or if another version of the notice was accepted. */
export function recallConsent(noticeVersion: string): void {
  const decision = readConsent(document.cookie)
  const version = deviceStorage.getItem(VERSION_KEY) ?? readCookie(document.cookie, VERSION_KEY)
  if (decision && version === noticeVersion) {
    rememberAcceptedNotice(noticeVersion)
    changes.policyAccepted()
  } else if (decision === false) {
    // Again, because the request of the decision may have failed.
    keepStaffOut()
    changes.policyDeclined()
  } else {
    rememberAcceptedNotice(null)
    changes.noticeOffered()
  }
}

/** Accepts the shown version of the notice, which permits storing and sending. */
export function acceptPolicy(noticeVersion: string): void {
  const lifetime = endsWithVisit(useConfiguration.getState()?.privacy.frameChats) ? 'session' : CONSENT_MAX_AGE_S
  keep(CONSENT_COOKIE, 'true', lifetime)
  if (lifetime !== 'session') deviceStorage.setItem(VERSION_KEY, noticeVersion)
  // In a frame, cookies may be the only storage.
  if (isEmbedded) keep(VERSION_KEY, noticeVersion, lifetime)
  rememberAcceptedNotice(noticeVersion)
  changes.policyAccepted()
}

/** Declines or withdraws consent and clears what the page stored on this device. A message typed before the decision stays in memory. */
export function declinePolicy(): void {
  const text = useApplication.getState().acceptsPrivacyPolicy ? '' : draftOf(NEW_CHAT).text
  keep(CONSENT_COOKIE, 'false', CONSENT_MAX_AGE_S)
  keepStaffOut()
  forgetStored()
  changeDraft(NEW_CHAT, { text })
  changes.policyDeclined()
}

/** Clears decision and storage; the next visit asks again. */
export function clearConsent(): void {
  keep(CONSENT_COOKIE, '', 'gone')
  rememberAcceptedNotice(null)
  forgetStored()
  changes.policyDeclined()
}

/** Limits the decision to the browser session and stores nothing else. */
export function limitToBrowserSession(): void {
  keep(CONSENT_COOKIE, 'true', 'session')
  forgetStored()
}

/** Where staff can read, the server has to know that they no longer can. */
function keepStaffOut(): void {
  rememberAcceptedNotice(null)
  if (useConfiguration.getState()?.privacy.staffReading) withdrawNotices().catch(console.error)
}

const keep = (name: string, value: string, lifetime: CookieLifetime): void => setPageCookie(name, value, lifetime, isEmbedded)

function forgetStored(): void {
  deviceStorage.clear()
  if (isEmbedded) keep(VERSION_KEY, '', 'gone')
  clearCaches()
  forgetStoredSession()
  forgetDrafts()
}

/** Deletes the page's cached files, and with them the service worker. Without https there are none. */
function clearCaches(): void {
  const clear = async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    await (await navigator.serviceWorker.getRegistration())?.unregister()
  }
  if (globalThis.caches) clear().catch(console.error)
}
