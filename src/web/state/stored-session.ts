import type { ChatSession } from './application-store.ts'

const STORAGE_KEY = 'chat-session'

/** Keeps the open session for this tab, so that a reload shows it at once. Storage that is full or refused only costs that. */
export function storeSession({ key, title, messages }: ChatSession): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ key, title, messages }))
  } catch (error) {
    console.error(error)
    forgetStoredSession()
  }
}

/** The stored session, if it is the one with `key`. */
export function readStoredSession(key: string): ChatSession | null {
  try {
    const session = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as ChatSession | null
    return session?.key === key && Array.isArray(session.messages) ? session : null
  } catch {
    return null
  }
}

export function forgetStoredSession(): void {
  sessionStorage.removeItem(STORAGE_KEY)
}
