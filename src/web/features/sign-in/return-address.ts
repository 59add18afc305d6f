import { tabStorage } from '../../../ui/storage/storage.ts'

const STORAGE_KEY = 'sign-in-return'
const CHAT = '#/chat'

/** Stores the current address for this tab, so the callback never follows an address from elsewhere. */
export function storeReturnAddress(): void {
  tabStorage.setItem(STORAGE_KEY, location.hash)
}

/** The stored address, or the chat's if there is none. Clears it. */
export function takeReturnAddress(): string {
  const address = tabStorage.getItem(STORAGE_KEY)
  tabStorage.removeItem(STORAGE_KEY)
  return address?.startsWith(CHAT) ? address : CHAT
}
