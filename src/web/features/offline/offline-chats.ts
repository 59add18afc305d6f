import type { SessionDetail } from '../../../contract/sessions.ts'
import { type Entry, entries, put, remove } from './offline-store.ts'

const FOLDER = '/offline/chats/'
/** Limits of the recently opened chats. */
const LIMITS = { maxEntries: 20, maxBytes: 4 * 1024 * 1024 }

/** A chat as the server sent it. For long chats, only the loaded messages. */
export type CachedChat = SessionDetail

export const pathOfChat = (key: string): string => FOLDER + key

export const cacheChat = (chat: CachedChat): Promise<void> => put(FOLDER, chat.key, chat, LIMITS)

export const removeCachedChat = (key: string): Promise<boolean> => remove(pathOfChat(key))

/** Unexpired chats in list order: pinned first, then newest activity first. Removes expired ones. */
export async function readCachedChats(now: number): Promise<CachedChat[]> {
  const chats: CachedChat[] = []
  for (const entry of await entries(FOLDER)) {
    const chat = (await (entry satisfies Entry).read()) as CachedChat
    if (Date.parse(chat.expiresAt) > now) chats.push(chat)
    else await removeCachedChat(chat.key)
  }
  return chats.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt.localeCompare(a.updatedAt))
}
