import { useSyncExternalStore } from 'react'

export const CHAT_PATH = '/chat'

/** Where the page is: the path and the open session of `#/chat?session=KEY`. */
export function useAddress(): { path: string; session: string | null } {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const [path = '', query] = hash.replace(/^#?\/?/, '/').split('?')
  return { path, session: new URLSearchParams(query).get('session') || null }
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const chatAddress = (session?: string): string => `#${CHAT_PATH}${session ? `?session=${encodeURIComponent(session)}` : ''}`

export function navigate(address: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = address
    return
  }
  history.replaceState(null, '', address)
  dispatchEvent(new HashChangeEvent('hashchange'))
}
