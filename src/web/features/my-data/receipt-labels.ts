import type { Kind } from '../../../contract/receipt-labels.ts'
import { say, type Sentence, sentence } from '../../language/translate.ts'

const KINDS: Record<Kind, Sentence> = {
  visitor: sentence('visitor'),
  devices: sentence('devices'),
  'sign-in': sentence('sign-in'),
  'codes to move': sentence('codes to move'),
  'files in no chat yet': sentence('files in no chat yet'),
  chats: sentence('chats'),
  messages: sentence('messages'),
  thumbs: sentence('thumbs'),
  files: sentence('files'),
  'shared links': sentence('shared links'),
  summaries: sentence('summaries'),
  answers: sentence('answers'),
  'marks of repeatable requests': sentence('marks of repeatable requests'),
  'parts of running answers': sentence('parts of running answers'),
  'imported chats': sentence('imported chats'),
}

const OUT_OF_REACH: readonly Sentence[] = [
  sentence('Backups'),
  sentence('Copies that the operator made before this moment are deleted when the operator deletes them.'),
  sentence('Database internals'),
  sentence('PostgreSQL overwrites deleted rows when it cleans up, and may have sent them to replicas and archives.'),
  sentence('It received the prompts to answer them. Its own terms say how long it keeps them.'),
  sentence('It received what was written and answered to check it. Its own terms say how long it keeps it.'),
]

const WORDS = new Map<string, Sentence>([...Object.entries(KINDS), ...OUT_OF_REACH.map((english) => [english, english] as const)])

/** What the server says of what is stored or out of its reach, in the reader's language; undefined for names, and for what a newer server says. */
export function inWords(english: string): string | undefined {
  const known = WORDS.get(english)
  return known && say(known)
}
