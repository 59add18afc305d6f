import type { ChatMessage } from '../../../contract/message.ts'
import { filesOf } from '../../../contract/parts/file.ts'
import { fileAddress } from '../../api/file-calls.ts'
import { request } from '../../api/request.ts'
import { OFFLINE_FILES } from '../../storage/offline-cache-names.ts'
import { entries, putBeside } from './offline-store.ts'
import { type CachedChat, pathOfChat } from './offline-chats.ts'

/** The files that were kept last, whatever their chats. */
const LIMITS = { maxEntries: 40, maxBytes: 24 * 1024 * 1024 }
/** Of one chat, the newest: no chat takes the room of all others. */
const MAX_FILES_OF_CHAT = 12

/** Keeps what a kept chat shows beside its words; the service worker gives it while the server can't be reached. It goes with the chat. */
export async function cacheFilesOf(chat: CachedChat): Promise<void> {
  const wanted = addressesIn(chat.messages)
  if (wanted.length === 0) return
  const there = new Set((await entries(OFFLINE_FILES)).map(({ path }) => path))
  for (const address of wanted) {
    const id = address.split('/').at(-1)!
    if (there.has(OFFLINE_FILES + id)) continue
    const outcome = await request(address)
    // What can't be fetched now is tried for when the chat is kept again.
    if (outcome.ok) await putBeside(pathOfChat(chat.key), OFFLINE_FILES, id, outcome.value, LIMITS)
  }
}

const addressesIn = (messages: readonly ChatMessage[]): string[] =>
  [...new Set(messages.flatMap((message) => filesOf(message).map(({ url }) => url)))]
    .filter((url) => url.startsWith(fileAddress('')))
    .slice(-MAX_FILES_OF_CHAT)
