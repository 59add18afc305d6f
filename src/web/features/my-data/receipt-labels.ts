import type { Kind } from '../../../contract/receipt-labels.ts'
import { t, type MessageText, defineMessage } from '../../../ui/language/translate.ts'

const KINDS: Record<Kind, MessageText> = {
  visitor: defineMessage('visitor'),
  devices: defineMessage('devices'),
  'transfer codes': defineMessage('transfer codes'),
  'unsent files': defineMessage('unsent files'),
  chats: defineMessage('chats'),
  messages: defineMessage('messages'),
  ratings: defineMessage('ratings'),
  files: defineMessage('files'),
  answers: defineMessage('answers'),
  'request records': defineMessage('request records'),
  'partial answers': defineMessage('partial answers'),
  reports: defineMessage('reports'),
  readings: defineMessage('readings by staff'),
  'report notices': defineMessage('notices of reports'),
  corrections: defineMessage('corrections'),
  'accepted notices': defineMessage('accepted notices'),
  'messages open to staff': defineMessage('messages open to staff'),
}

const NOT_DELETABLE: readonly MessageText[] = [
  defineMessage('Backups'),
  defineMessage('Backups made before now remain until the operator deletes them.'),
  defineMessage('Database internals'),
  defineMessage('PostgreSQL overwrites deleted rows during cleanup, and may already have sent them to replicas and archives.'),
  defineMessage('It received your messages to answer them. Its own terms say how long it stores them.'),
  defineMessage('It received your messages and the answers to check them. Its own terms say how long it stores them.'),
]

const WORDS = new Map<string, MessageText>([...Object.entries(KINDS), ...NOT_DELETABLE.map((english) => [english, english] as const)])

/** The translated label of a receipt entry; undefined for names and for entries of newer servers. */
export function labelOf(english: string): string | undefined {
  const known = WORDS.get(english)
  return known && t(known)
}
