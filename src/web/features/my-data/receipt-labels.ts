import type { Kind } from '../../../contract/receipt-labels.ts'
import { t, type MessageText, defineMessage } from '../../language/translate.ts'

const KINDS: Record<Kind, MessageText> = {
  visitor: defineMessage('visitor'),
  devices: defineMessage('devices'),
  'sign-in': defineMessage('sign-in'),
  'codes to move': defineMessage('codes to move'),
  'files in no chat yet': defineMessage('files in no chat yet'),
  chats: defineMessage('chats'),
  messages: defineMessage('messages'),
  thumbs: defineMessage('thumbs'),
  files: defineMessage('files'),
  'shared links': defineMessage('shared links'),
  summaries: defineMessage('summaries'),
  answers: defineMessage('answers'),
  'marks of repeatable requests': defineMessage('marks of repeatable requests'),
  'parts of running answers': defineMessage('parts of running answers'),
  'imported chats': defineMessage('imported chats'),
}

const OUT_OF_REACH: readonly MessageText[] = [
  defineMessage('Backups'),
  defineMessage('Copies that the operator made before this moment are deleted when the operator deletes them.'),
  defineMessage('Database internals'),
  defineMessage('PostgreSQL overwrites deleted rows when it cleans up, and may have sent them to replicas and archives.'),
  defineMessage('It received the prompts to answer them. Its own terms say how long it keeps them.'),
  defineMessage('It received what was written and answered to check it. Its own terms say how long it keeps it.'),
]

const WORDS = new Map<string, MessageText>([...Object.entries(KINDS), ...OUT_OF_REACH.map((english) => [english, english] as const)])

/** The translated label of a receipt entry; undefined for names and for entries of newer servers. */
export function labelOf(english: string): string | undefined {
  const known = WORDS.get(english)
  return known && t(known)
}
