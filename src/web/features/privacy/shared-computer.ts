import { forgetDevice, makeTransferCode, takeTransferCode } from '../../api/rights-calls.ts'
import { changes } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { acceptPolicy, forgetDecision, limitToBrowserSession } from './consent.ts'

/** Aborts when the computer is no longer shared. */
let sharing: AbortController | null = null

/**
 * Says whether others use this computer too; the visitor has accepted the notice. While they do, nothing is kept in this browser
 * but cookies that end with it, and when the tab is left, this browser's key is revoked: what no other device opens is deleted.
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
  // The browser may keep the page as it was, and show it again by Back.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { signal })
}

/**
 * Who is known to the server already gets another key for this browser, by the way that leads to another device: on a shared
 * computer one that ends with the browser, and 2 hours after its last use. Nothing happens where nobody is known.
 */
async function exchangeKey(isShared: boolean): Promise<void> {
  const made = await makeTransferCode()
  if (!made.ok) return
  const taken = await takeTransferCode({ code: made.value.code, ...(isShared && { device: 'shared' }) })
  if (!taken.ok) console.error(`The key of this browser could not be exchanged: ${taken.code}`)
}

function leave(): void {
  forgetDevice().catch(console.error)
  forgetDecision()
}
