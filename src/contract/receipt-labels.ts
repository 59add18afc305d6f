/** What is stored of a visitor, as reports and receipts name it. */
export type Kind =
  | 'visitor'
  | 'devices'
  | 'sign-in'
  | 'transfer codes'
  | 'unsent files'
  | 'chats'
  | 'messages'
  | 'ratings'
  | 'files'
  | 'shared links'
  | 'summaries'
  | 'answers'
  | 'request records'
  | 'partial answers'
  | 'imported chats'

/** What a server can't delete, as receipts say it, in English: what is signed is the same in every language. The page says it in the reader's. */
export const OUT_OF_REACH = {
  backups: { what: 'Backups', why: 'Backups made before now remain until the operator deletes them.' },
  database: {
    what: 'Database internals',
    why: 'PostgreSQL overwrites deleted rows during cleanup, and may already have sent them to replicas and archives.',
  },
  model: { why: 'It received your messages to answer them. Its own terms say how long it stores them.' },
  checks: { why: 'It received your messages and the answers to check them. Its own terms say how long it stores them.' },
} as const
