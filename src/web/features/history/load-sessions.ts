import { create } from 'zustand'
import { fetchSessions } from '../../api/calls.ts'
import type { FailureCode } from '../../api/failure.ts'
import { changes } from '../../state/application-store.ts'
import { forgetStoredSession } from '../../state/stored-session.ts'

/** Error code of the last failed fetch of the list; null after success. */
export const useListFailure = create<{ code: FailureCode | null }>(() => ({ code: null }))

/** Fetches the newest sessions. An empty list also clears the session stored in this tab. */
export async function loadSessions(): Promise<void> {
  changes.sessionsRequested()
  const outcome = await fetchSessions()
  useListFailure.setState({ code: outcome.ok ? null : outcome.code })
  if (!outcome.ok) {
    console.error(`The sessions could not be loaded: ${outcome.code}`)
    return changes.sessionsFailed()
  }
  changes.sessionsReceived(outcome.value)
  if (outcome.value.sessions.length === 0) forgetStoredSession()
}
