/** What is stored of a visitor, as reports and receipts name it. */
export type Kind =
  | 'visitor'
  | 'devices'
  | 'sign-in'
  | 'codes to move'
  | 'files in no chat yet'
  | 'chats'
  | 'messages'
  | 'thumbs'
  | 'files'
  | 'shared links'
  | 'summaries'
  | 'answers'
  | 'marks of repeatable requests'
  | 'parts of running answers'
  | 'imported chats'

/** What a server can't delete, as receipts say it, in English: what is signed is the same in every language. The page says it in the reader's. */
export const OUT_OF_REACH = {
  backups: { what: 'Backups', why: 'Copies that the operator made before this moment are deleted when the operator deletes them.' },
  database: {
    what: 'Database internals',
    why: 'PostgreSQL overwrites deleted rows when it cleans up, and may have sent them to replicas and archives.',
  },
  model: { why: 'It received the prompts to answer them. Its own terms say how long it keeps them.' },
  checks: { why: 'It received what was written and answered to check it. Its own terms say how long it keeps it.' },
} as const
