import { useEffect, useRef } from 'react'
import { subscribeToChat, newChat, openSession, syncOpenSession } from '../features/chat/chat-actions.ts'
import { followListFromNow, listChanged, onOtherTab, unfollowList } from '../features/history/live-list.ts'
import { loadSessions } from '../features/history/load-sessions.ts'
import { useApplication } from '../state/application-store.ts'
import { storeOpenChat } from '../state/open-chat.ts'
import { chatAddress, navigate } from './location.ts'

/** Opens the session of the address, and syncs it and the list of sessions. */
export function useSessions(session: string | null): void {
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  useEffect(() => {
    subscribeToChat({
      promptAccepted(key) {
        if (!useApplication.getState().isTemporary) navigate(chatAddress(key), { replace: true })
        listChanged()
      },
      answerEnded: listChanged,
    })
  }, [])
  useEffect(() => {
    if (!accepts) return unfollowList()
    const follow = () => {
      followListFromNow().catch(console.error)
    }
    const followIfKnown = () => {
      if (useApplication.getState().chatSessions.length > 0) follow()
    }
    loadSessions().then(followIfKnown).catch(console.error)
    return onOtherTab(follow)
  }, [accepts])
  useEffect(() => {
    const open = useApplication.getState().currentSession?.key
    if (!accepts || (!session && open)) newChat()
    else if (session && session !== open) openSession(session)
  }, [accepts, session])
  useEffect(() => {
    if (accepts) storeOpenChat(session)
  }, [accepts, session])
  useSyncedSession()
  useServiceWorker(accepts)
}

/** Registers the service worker for visitors with chats only, to keep the first visit light. */
function useServiceWorker(accepts: boolean): void {
  const hasChats = useApplication((state) => state.chatSessions.length > 0)
  const isWanted = accepts && hasChats
  useEffect(() => {
    if (isWanted) import('./register-worker.ts').then(({ registerWorker }) => registerWorker()).catch(console.error)
  }, [isWanted])
}

/** Syncs the open session with changes in the list: prompts and answers from elsewhere, or its deletion. */
function useSyncedSession(): void {
  const key = useApplication((state) => state.currentSession?.key)
  const status = useApplication((state) => state.currentSession?.answer.status)
  const listed = useApplication((state) => state.chatSessions.find((session) => session.key === key))
  const { updatedAt, runningTurn = null } = listed ?? {}
  const lastListed = useRef<string>(undefined)
  useEffect(() => {
    if (!key || (!updatedAt && lastListed.current !== key)) return
    lastListed.current = updatedAt && key
    syncOpenSession({ key, updatedAt: updatedAt ?? '', runningTurn })
  }, [key, status, updatedAt, runningTurn])
}
