import { useSyncExternalStore } from 'react'

export const CHAT_PATH = '/chat'
/** Route of transfer codes: `#/move?code=…`. */
export const MOVE_PATH = '/move'

/** The current route: the path, the session key of `#/chat?session=KEY`, and the code of `#/move?code=…`. */
export function useAddress(): { path: string; session: string | null; code: string } {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const [path = '', query] = hash.replace(/^#?\/?/, '/').split('?')
  const parameters = new URLSearchParams(query)
  return { path, session: parameters.get('session') || null, code: parameters.get('code') ?? '' }
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** The address of a chat in the page; of a new chat without `session`. */
export const chatAddress = (session?: string): string => `#${CHAT_PATH}${session ? `?session=${encodeURIComponent(session)}` : ''}`

export function navigate(address: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = address
    return
  }
  history.replaceState(null, '', address)
  dispatchEvent(new HashChangeEvent('hashchange'))
}
