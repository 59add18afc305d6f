import { tabStorage } from '../../storage/storage.ts'

const STORAGE_KEY = 'sign-in-return'
const CHAT = '#/chat'

/** Keeps, for this tab alone, where the visitor is. No address that comes from elsewhere is ever gone to. */
export function storeReturnAddress(): void {
  tabStorage.setItem(STORAGE_KEY, location.hash)
}

/** Where the visitor was when they left for the provider; the chat, if that is not known. Known once. */
export function takeReturnAddress(): string {
  const address = tabStorage.getItem(STORAGE_KEY)
  tabStorage.removeItem(STORAGE_KEY)
  return address?.startsWith(CHAT) ? address : CHAT
}
