import { MAX_CHATS_FOUND, MAX_FOUND_IN_CHAT } from '../../../contract/size-limits.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { FoundChat, FoundMessage } from '../../../contract/chat/search.ts'
import type { Access } from '../../store/visitors/access.ts'
import type { Database } from '../../store/engine/database.ts'
import { messagesBefore } from '../../store/sessions/messages.ts'
import { listSessionsFrom, type SearchCursor } from '../../store/sessions/sessions.ts'
import { plainText } from './plain-text.ts'
import { SearchTerms } from './search-terms.ts'

const SESSIONS_A_READ = 50
const MESSAGES_A_READ = 20
/** UTF-16 code units read for one page; the next page continues from there. */
const MAX_CHARACTERS = 8 * 1024 * 1024
const BEYOND_THE_LAST = 2 ** 31 - 1

export interface ChatSearch {
  access: Access
  query: string
  limit?: number | undefined
  after?: SearchCursor | undefined
}

/** The matching chats, and where the next page continues; null at the end. */
export interface SearchPage {
  chats: FoundChat[]
  next: SearchCursor | null
}

/** Reads titles and messages of the caller's sessions, newest activity first, until the page or the reading limit is full. */
export async function searchChats(database: Database, search: ChatSearch): Promise<SearchPage> {
  const { access, query, limit = MAX_CHATS_FOUND } = search
  const words = new SearchTerms(query)
  const chats: FoundChat[] = []
  let place = search.after
  let room = MAX_CHARACTERS
  if (words.isEmpty) return { chats, next: null }
  for (;;) {
    const sessions = await listSessionsFrom(database, access, place, SESSIONS_A_READ)
    for (const { summary, updatedAt } of sessions) {
      const before = place?.[1] === summary.key && place[2] > 0 ? place[2] : BEYOND_THE_LAST
      const read = await readSession(database, summary.key, { words, before, room })
      room -= read.characters
      const inTitle = before === BEYOND_THE_LAST && words.matches(summary.title)
      if (inTitle || read.found.length > 0) {
        const { found, more } = read
        chats.push({ session: summary, title: words.highlight(summary.title), found, more })
      }
      place = [updatedAt, summary.key, read.position]
      if (chats.length === limit || room <= 0) return { chats, next: place }
    }
    if (sessions.length < SESSIONS_A_READ) return { chats, next: null }
  }
}

interface ReadSession {
  found: FoundMessage[]
  more: boolean
  characters: number
  /** As in `SearchCursor`. */
  position: number
}

async function readSession(
  database: Database,
  sessionId: string,
  { words, before, room }: { words: SearchTerms; before: number; room: number },
): Promise<ReadSession> {
  const found: FoundMessage[] = []
  let characters = 0
  let position = before
  for (;;) {
    const messages = await messagesBefore(database, sessionId, position, MESSAGES_A_READ)
    for (const { message } of messages) {
      const text = textOf(message)
      characters += text.length
      if (!words.matches(text)) continue
      if (found.length === MAX_FOUND_IN_CHAT) return { found, more: true, characters, position: 0 }
      const role = message.role === 'user' ? 'user' : 'assistant'
      found.push({ message: message.id, role, snippet: words.snippet(role === 'user' ? text : visibleText(text, words)) })
    }
    position = messages.at(-1)?.position ?? 0
    if (messages.length < MESSAGES_A_READ) return { found, more: false, characters, position: 0 }
    if (characters >= room) return { found, more: false, characters, position }
  }
}

/** The answer without Markdown; with it, if the words are only in hidden text such as an address. */
function visibleText(markdown: string, words: SearchTerms): string {
  const plain = plainText(markdown)
  return words.matches(plain) ? plain : markdown
}
