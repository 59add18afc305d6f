import { useHashLocation } from 'wouter/use-hash-location'

export const CHAT_PATH = '/chat'

/** Where the page is: the path and the open session of `#/chat?session=KEY`. */
export function useAddress(): { path: string; session: string | null } {
  const [location] = useHashLocation()
  const [path = '', query] = location.split('?')
  return { path, session: new URLSearchParams(query).get('session') || null }
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
