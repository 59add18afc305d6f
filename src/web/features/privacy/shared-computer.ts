import { signOutDevice, makeTransferCode, takeTransferCode } from '../../api/rights-calls.ts'
import { changes } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { acceptPolicy, clearConsent, limitToBrowserSession } from './consent.ts'

/** Aborts when the computer is no longer shared. */
let sharing: AbortController | null = null

/**
 * Switches shared-computer mode. Requires consent. In this mode, the browser stores only session cookies, and leaving the tab revokes this
 * browser's key: data that no other device can open is deleted.
 */
export function setSharedComputer(isShared: boolean): void {
  sharing?.abort()
  sharing = null
  changes.sharedComputerChanged(isShared)
  exchangeKey(isShared).catch(console.error)
  if (isShared) beginSharing()
  else acceptPolicy(useConfiguration.getState()?.privacy.noticeVersion ?? '')
}

function beginSharing(): void {
  limitToBrowserSession()
  sharing = new AbortController()
  const { signal } = sharing
  addEventListener('pagehide', leave, { signal })
  // The back/forward cache may restore the page.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { signal })
}

/**
 * Replaces this browser's key through a device transfer: in shared-computer mode with one that ends with the browser session and 2 hours
 * after its last use. Does nothing if the server knows no visitor.
 */
async function exchangeKey(isShared: boolean): Promise<void> {
  const made = await makeTransferCode()
  if (!made.ok) return
  const taken = await takeTransferCode({ code: made.value.code, ...(isShared && { device: 'shared' }) })
  if (!taken.ok) console.error(`The key of this browser could not be exchanged: ${taken.code}`)
}

function leave(): void {
  signOutDevice().catch(console.error)
  clearConsent()
}
