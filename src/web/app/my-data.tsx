import type { ReactNode } from 'react'
import { loadSessions } from '../features/history/load-sessions.ts'
import { MyDataDialog } from '../features/my-data/my-data-dialog.tsx'
import type { MyDataActions } from '../features/my-data/my-data-actions.ts'
import { declinePolicy, clearConsent } from '../features/privacy/consent.ts'
import { changes, useApplication } from '../state/application-store.ts'
import { type ErasureScope, showMyData } from '../state/my-data.ts'
import { forgetDrafts } from '../state/drafts.ts'
import { forgetStoredSession, readStoredSession } from '../state/stored-session.ts'

export interface MyDataProps {
  /** Starts a new chat in place of the open one. */
  onLeaveChat(): void
}

/** The panel "My data", with the effects of its actions on the rest of the page. */
export function MyData({ onLeaveChat }: MyDataProps): ReactNode {
  const actions: MyDataActions = {
    erased(scope) {
      if (isOpenChat(scope)) onLeaveChat()
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

function isOpenChat(scope: ErasureScope): boolean {
  return scope.kind !== 'session' || scope.key === useApplication.getState().currentSession?.key
}

/** Removes deleted data from the page's memory and this tab's storage. */
function removeFromPage(scope: ErasureScope): void {
  if (scope.kind === 'session') changes.sessionDeleted(scope.key)
  else {
    changes.sessionsReceived({ sessions: [], next: null })
    forgetDrafts()
  }
  if (scope.kind !== 'session' || readStoredSession(scope.key)) forgetStoredSession()
  if (scope.kind === 'everything') clearConsent()
}
