import { loadSessions } from './load-sessions.ts'

/** Tells the visitor's other tabs that there is a list to follow now. */
const channel = new BroadcastChannel('parley')
let following: AbortController | null = null

/** Keeps the list up to date from now on; while that is so, there is no need to load it. To be called once the server knows the visitor. */
export async function followListFromNow(): Promise<void> {
  if (following) return
  const own = new AbortController()
  following = own
  try {
    const { followList } = await import('./follow-list.ts')
    await followList(own.signal)
  } finally {
    if (following === own) following = null
  }
}

export function unfollowList(): void {
  following?.abort()
  following = null
}

/** The list has changed by what this tab did: follows it, or loads it where that does not work. */
export function listChanged(): void {
  if (following) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel.postMessage('list')
  loadSessions().catch(console.error)
  followListFromNow().catch(console.error)
}

/** Calls `act` when another tab of this browser has begun to follow a list. */
export function onOtherTab(act: () => void): () => void {
  channel.addEventListener('message', act)
  return () => channel.removeEventListener('message', act)
}
