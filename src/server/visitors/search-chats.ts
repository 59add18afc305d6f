import { setImmediate as nextPass } from 'node:timers/promises'
import { withoutCitations } from '../../contract/chat/citation.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import type { FoundChat, Piece } from '../../contract/chat/search.ts'
import { MAX_CHATS_FOUND } from '../../contract/size-limits.ts'
import { fold } from '../../text/fold.ts'
import type { Database } from '../store/engine/database.ts'
import { listBranch } from '../store/sessions/branches.ts'
import { listSessionPage, type SessionPlace } from '../store/sessions/sessions.ts'
import type { Access } from '../store/visitors/access.ts'

const SESSIONS_A_READ = 50
const MESSAGES_A_READ = 10
/** UTF-16 code units after which a page ends; the next continues there. */
const MAX_CHARACTERS = 2 * 1024 * 1024
const MAX_WORDS = 10
const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts without spaces between words, in which a word matches anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const EXCERPT_LENGTH = 160
const EXCERPT_BEFORE = 40

interface ChatSearch {
  access: Access
  query: string
  limit?: number | undefined
  after?: SessionPlace | undefined
  /** Aborts when the caller has left. */
  signal?: AbortSignal
}

/** The matching chats, newest activity first, and where the next page continues; null at the end. Other work runs between messages. */
export async function searchChats(
  database: Database,
  { access, query, limit = MAX_CHATS_FOUND, after, signal }: ChatSearch,
): Promise<{ chats: FoundChat[]; next: SessionPlace | null }> {
  const words = [...new Set(fold(query).match(WORD))].slice(0, MAX_WORDS)
  const chats: FoundChat[] = []
  let [place, characters] = [after, 0]
  while (words.length > 0) {
    const { sessions, next } = await listSessionPage(database, access, { limit: SESSIONS_A_READ, after: place })
    for (const session of sessions) {
      signal?.throwIfAborted()
      const { excerpt, read } = await excerptOf(database, session.key, words)
      characters += read
      if (excerpt || marked(session.title, words)) chats.push({ session, excerpt: excerpt ?? [] })
      place = [Date.parse(session.updatedAt), session.key]
      if (chats.length === limit || characters > MAX_CHARACTERS) return { chats, next: place }
    }
    if (!next) break
  }
  return { chats, next: null }
}

/** An excerpt of the newest message of a chat that has all words, and the number of characters read. */
async function excerptOf(database: Database, sessionId: string, words: string[]): Promise<{ excerpt?: Piece[]; read: number }> {
  let read = 0
  let before: number | undefined
  for (;;) {
    const messages = await listBranch(database, sessionId, { limit: MESSAGES_A_READ, before })
    for (const { message } of messages.toReversed()) {
      const text = textOf(message)
      read += text.length
      const pieces = marked(plainText(text), words)
      if (pieces) return { excerpt: cut(pieces), read }
      await nextPass()
    }
    if (messages.length < MESSAGES_A_READ) return { read }
    before = messages[0]!.position
  }
}

/** The text in pieces, with those marked that match; null unless each word matches the beginning of one in it. */
function marked(text: string, words: readonly string[]): Piece[] | null {
  const folded = fold(text)
  if (!words.every((word) => folded.includes(word))) return null
  const missing = new Set(words)
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const plain = fold(found)
    const matching = words.filter((word) => plain.startsWith(word) || (UNSPACED.test(word) && plain.includes(word)))
    const [first] = matching
    if (first === undefined) continue
    for (const word of matching) missing.delete(word)
    const start = index + plain.indexOf(first)
    pieces.push({ text: text.slice(end, start), marked: false }, { text: text.slice(start, start + first.length), marked: true })
    end = start + first.length
  }
  return missing.size > 0 ? null : [...pieces, { text: text.slice(end), marked: false }].filter(({ text: piece }) => piece !== '')
}

/** The pieces around the first match, up to a length. */
function cut(pieces: Piece[]): Piece[] {
  const first = pieces.findIndex((piece) => piece.marked)
  const before = pieces
    .slice(0, first)
    .map(({ text }) => text)
    .join('')
  const start = before.length > EXCERPT_BEFORE ? `…${before.slice(-EXCERPT_BEFORE).replace(/^\S*\s/, '')}` : before
  const excerpt: Piece[] = start ? [{ text: start, marked: false }] : []
  let left = EXCERPT_LENGTH
  for (const { text, marked: isMarked } of pieces.slice(first)) {
    if (left <= 0) break
    excerpt.push({ text: text.length > left ? `${text.slice(0, left).toWellFormed()}…` : text, marked: isMarked })
    left -= text.length
  }
  return excerpt
}

/** A text without most marks of Markdown, on one line. */
function plainText(markdown: string): string {
  return withoutCitations(markdown)
    .replaceAll(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/(?:[*_`#>|~\s]|:?-{2,}:?)+/g, ' ')
    .trim()
}
