import { changes } from '../../state/application-store.ts'
import { loadSessions } from './load-sessions.ts'

/** Notifies the visitor's other tabs that the list exists now. */
const channel = new BroadcastChannel('parley')
let following: AbortController | null = null

/** Starts syncing the list, which makes loading it unnecessary. Call it once the server knows the visitor. */
export async function followListFromNow(): Promise<void> {
  if (following) return
  const own = new AbortController()
  following = own
  try {
    const { followList } = await import('./follow-list.ts')
    await followList(own.signal)
  } finally {
    if (following === own) unfollowList()
  }
}

export function unfollowList(): void {
  following?.abort()
  following = null
  changes.connectionRestored('list')
}

/** Call it when this tab has changed the list. Starts syncing, or reloads the list if that fails. */
export function listChanged(): void {
  if (following) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no origin
  channel.postMessage('list')
  loadSessions().catch(console.error)
  followListFromNow().catch(console.error)
}

/** Calls `act` when another tab has started syncing the list. */
export function onOtherTab(act: () => void): () => void {
  channel.addEventListener('message', act)
  return () => channel.removeEventListener('message', act)
}
