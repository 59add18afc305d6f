import type { SessionDetail } from '../../../contract/sessions.ts'
import { type Entry, entries, put, remove } from './offline-store.ts'

const FOLDER = '/kept/chats/'
/** The chats that were opened last. */
const LIMITS = { maxEntries: 20, maxBytes: 4 * 1024 * 1024 }

/** As the server had it; of a long one, the messages that were shown. */
export type CachedChat = SessionDetail

export const pathOfChat = (key: string): string => FOLDER + key

export const cacheChat = (chat: CachedChat): Promise<void> => put(FOLDER, chat.key, chat, LIMITS)

export const removeCachedChat = (key: string): Promise<boolean> => remove(pathOfChat(key))

/** Those that have not ended yet, as they are listed: pinned first, then newest activity first. What has ended is removed. */
export async function readCachedChats(now: number): Promise<CachedChat[]> {
  const chats: CachedChat[] = []
  for (const entry of await entries(FOLDER)) {
    const chat = (await (entry satisfies Entry).read()) as CachedChat
    if (Date.parse(chat.expiresAt) > now) chats.push(chat)
    else await removeCachedChat(chat.key)
  }
  return chats.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt.localeCompare(a.updatedAt))
}
