import { removeCachedChat, cacheChat, type CachedChat, readCachedChats } from '../features/offline/offline-chats.ts'
import { cacheFilesOf } from '../features/offline/offline-files.ts'
import { useListFailure } from '../features/history/load-sessions.ts'
import { type ApplicationState, changes, chatEvents, useApplication } from '../state/application-store.ts'

/** Of what is shown, which has been kept already. */
let kept: { messages: unknown; updatedAt: string } | null = null

/** From now on keeps the chats that are opened, shows them when the server can't be reached, and forgets those that are gone. */
export function startCachingChats(): void {
  useApplication.subscribe((now, before) => {
    look(now, before).catch(console.error)
  })
  useListFailure.subscribe(({ code }) => {
    if (code) showKeptList().catch(console.error)
  })
  const state = useApplication.getState()
  look(state, { ...state, currentSession: null }).catch(console.error)
  if (useListFailure.getState().code) showKeptList().catch(console.error)
}

async function look(now: ApplicationState, before: ApplicationState): Promise<void> {
  if (now.chatSessions !== before.chatSessions) await forgetGone(now, before)
  const { answer } = now.currentSession ?? {}
  if (answer === before.currentSession?.answer && now.chatSessions === before.chatSessions) return
  if (answer?.status === 'unavailable') await showKept(now)
  else if (answer?.status === 'none') await keepShown(now)
}

/** A chat of which nothing is listed is temporary, or not the server's yet. */
async function keepShown({ currentSession, chatSessions, isTemporary, isSharedComputer }: ApplicationState): Promise<void> {
  const listed = chatSessions.find(({ key }) => key === currentSession?.key)
  if (!currentSession || !listed || isTemporary || isSharedComputer || currentSession.messages.length === 0) return
  const { messages, earlier = null } = currentSession
  if (kept?.messages === messages && kept.updatedAt === listed.updatedAt) return
  kept = { messages, updatedAt: listed.updatedAt }
  const chat = { ...listed, messages, earlier, runningTurn: null }
  await cacheChat(chat)
  await cacheFilesOf(chat)
}

/** The open chat could not be fetched: as it was last time. One that the server does not have is not kept either. */
async function showKept({ currentSession }: ApplicationState): Promise<void> {
  const { key, answer } = currentSession!
  if (answer.status !== 'unavailable') return
  if (answer.code === 'not_found') return void (await removeCachedChat(key))
  const chat = (await readCachedChats(Date.now())).find((other) => other.key === key)
  const isStillMissing = useApplication.getState().currentSession?.answer === answer
  if (chat && isStillMissing) chatEvents.dispatch({ type: 'offline-copy-found', session: chat })
}

async function showKeptList(): Promise<void> {
  const chats = await readCachedChats(Date.now())
  if (useApplication.getState().chatSessions.length > 0 || !useListFailure.getState().code) return
  changes.sessionsReceived({ sessions: chats, next: null })
}

/** What is no longer listed where it would be was deleted: here, on another device, or because the visitor is another one. */
async function forgetGone({ chatSessions, nextSessions }: ApplicationState, before: ApplicationState): Promise<void> {
  if (useListFailure.getState().code) return
  const isListed = (key: string) => chatSessions.some((session) => session.key === key)
  const oldest = chatSessions.findLast(({ pinned }) => !pinned)?.updatedAt
  const wouldBeListed = ({ pinned, updatedAt }: CachedChat) =>
    nextSessions === null || (!pinned && oldest !== undefined && updatedAt > oldest)
  const wasListed = ({ key }: CachedChat) => before.chatSessions.some((session) => session.key === key)
  for (const chat of await readCachedChats(Date.now())) {
    if (!isListed(chat.key) && (wasListed(chat) || wouldBeListed(chat))) await removeCachedChat(chat.key)
  }
}
