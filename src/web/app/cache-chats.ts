import { removeCachedChat, cacheChat, type CachedChat, readCachedChats } from '../features/offline/offline-chats.ts'
import { cacheFilesOf } from '../features/offline/offline-files.ts'
import { useListFailure } from '../features/history/load-sessions.ts'
import { type ApplicationState, changes, chatEvents, useApplication } from '../state/application-store.ts'

/** What is cached of the open chat. */
let cached: { messages: unknown; updatedAt: string } | null = null

/** Caches the chats that are opened, shows them while the server can't be reached, and removes deleted ones. */
export function startCachingChats(): void {
  useApplication.subscribe((now, before) => {
    update(now, before).catch(console.error)
  })
  useListFailure.subscribe(({ code }) => {
    if (code) showCachedList().catch(console.error)
  })
  const state = useApplication.getState()
  update(state, { ...state, currentSession: null }).catch(console.error)
  if (useListFailure.getState().code) showCachedList().catch(console.error)
}

async function update(now: ApplicationState, before: ApplicationState): Promise<void> {
  if (now.chatSessions !== before.chatSessions) await removeDeleted(now, before)
  const { answer } = now.currentSession ?? {}
  if (answer === before.currentSession?.answer && now.chatSessions === before.chatSessions) return
  if (answer?.status === 'unavailable') await showCached(now)
  else if (answer?.status === 'none') await cacheShown(now)
}

/** Ignores chats that are not listed: they are temporary, or the server does not have them yet. */
async function cacheShown({ currentSession, chatSessions, isTemporary, isSharedComputer }: ApplicationState): Promise<void> {
  const listed = chatSessions.find(({ key }) => key === currentSession?.key)
  if (!currentSession || !listed || isTemporary || isSharedComputer || currentSession.messages.length === 0) return
  const { messages, earlier = null } = currentSession
  if (cached?.messages === messages && cached.updatedAt === listed.updatedAt) return
  cached = { messages, updatedAt: listed.updatedAt }
  const chat = { ...listed, messages, earlier, runningTurn: null }
  await cacheChat(chat)
  await cacheFilesOf(chat)
}

/** Shows the cached copy of a chat that can't be fetched. Removes the copy if the server does not have the chat. */
async function showCached({ currentSession }: ApplicationState): Promise<void> {
  const { key, answer } = currentSession!
  if (answer.status !== 'unavailable') return
  if (answer.code === 'not_found') return void (await removeCachedChat(key))
  const chat = (await readCachedChats(Date.now())).find((other) => other.key === key)
  const isStillMissing = useApplication.getState().currentSession?.answer === answer
  if (chat && isStillMissing) chatEvents.dispatch({ type: 'offline-copy-found', session: chat })
}

async function showCachedList(): Promise<void> {
  const chats = await readCachedChats(Date.now())
  if (useApplication.getState().chatSessions.length > 0 || !useListFailure.getState().code) return
  changes.sessionsReceived({ sessions: chats, next: null })
}

/** Removes chats that are missing from the list: deleted here or on another device, or of another visitor. */
async function removeDeleted({ chatSessions, nextSessions }: ApplicationState, before: ApplicationState): Promise<void> {
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
