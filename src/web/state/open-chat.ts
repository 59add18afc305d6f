import { isEmbedded } from '../api/embedded.ts'
import { readCookie, setPageCookie } from '../../ui/storage/page-cookie.ts'
import { useApplication } from './application-store.ts'

const OPEN_CHAT_COOKIE = 'open-chat'

/**
 * Stores the key of the open chat of a frame, which starts anew on each page of the embedding site, until the browser closes. Does nothing
 * elsewhere, where the address has the key. A cookie, because browsers may give a frame no other storage.
 */
export function storeOpenChat(key: string | null): void {
  if (!isEmbedded) return
  const isStored = key !== null && !useApplication.getState().isSharedComputer
  setPageCookie(OPEN_CHAT_COOKIE, isStored ? encodeURIComponent(key) : '', isStored ? 'session' : 'gone', isEmbedded)
}

export function readOpenChat(): string | null {
  const key = isEmbedded && readCookie(document.cookie, OPEN_CHAT_COOKIE)
  return key ? decodeURIComponent(key) : null
}
