import type { ReactNode } from 'react'
import { loadSessions } from '../features/history/load-sessions.ts'
import { MyDataDialog } from '../features/my-data/my-data-dialog.tsx'
import type { MyDataActions } from '../features/my-data/my-data-actions.ts'
import { declinePolicy, clearConsent } from '../features/privacy/consent.ts'
import { changes } from '../state/application-store.ts'
import { type ErasureScope, showMyData } from '../state/my-data.ts'
import { forgetDrafts } from '../state/drafts.ts'
import { forgetStoredSession } from '../state/stored-session.ts'

export interface MyDataProps {
  /** Starts a new chat in place of the open one. */
  onLeaveChat(): void
}

/** The panel "My data", with the effects of its actions on the rest of the page. */
export function MyData({ onLeaveChat }: MyDataProps): ReactNode {
  const actions: MyDataActions = {
    erased(scope) {
      onLeaveChat()
      removeFromPage(scope)
    },
    withdraw() {
      declinePolicy()
      showMyData({ kind: 'withdrawn' })
    },
    moved() {
      onLeaveChat()
      forgetStoredSession()
      forgetDrafts()
      loadSessions().catch(console.error)
    },
    openNotice: changes.noticeOpened,
  }
  return <MyDataDialog actions={actions} />
}

/** Removes deleted data from the page's memory and this tab's storage. */
function removeFromPage(scope: ErasureScope): void {
  changes.sessionsReceived({ sessions: [], next: null })
  forgetDrafts()
  forgetStoredSession()
  if (scope === 'everything') clearConsent()
}
