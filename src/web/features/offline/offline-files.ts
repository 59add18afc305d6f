import type { ChatMessage } from '../../../contract/message.ts'
import { filesOf } from '../../../contract/parts/file.ts'
import { fileAddress } from '../../api/file-calls.ts'
import { request } from '../../api/request.ts'
import { OFFLINE_FILES } from '../../storage/offline-cache-names.ts'
import { entries, putAttached } from './offline-store.ts'
import { type CachedChat, pathOfChat } from './offline-chats.ts'

/** Limits over all chats. */
const LIMITS = { maxEntries: 40, maxBytes: 24 * 1024 * 1024 }
/** Limit per chat, newest first. */
const MAX_FILES_OF_CHAT = 12

/** Caches the files of a cached chat, which the service worker serves while the server can't be reached. They are removed with the chat. */
export async function cacheFilesOf(chat: CachedChat): Promise<void> {
  const wanted = addressesIn(chat.messages)
  if (wanted.length === 0) return
  const there = new Set((await entries(OFFLINE_FILES)).map(({ path }) => path))
  for (const address of wanted) {
    const id = address.split('/').at(-1)!
    if (there.has(OFFLINE_FILES + id)) continue
    const outcome = await request(address)
    // Failed files are retried when the chat is cached again.
    if (outcome.ok) await putAttached(pathOfChat(chat.key), OFFLINE_FILES, id, outcome.value, LIMITS)
  }
}

const addressesIn = (messages: readonly ChatMessage[]): string[] =>
  [...new Set(messages.flatMap((message) => filesOf(message).map(({ url }) => url)))]
    .filter((url) => url.startsWith(fileAddress('')))
    .slice(-MAX_FILES_OF_CHAT)
