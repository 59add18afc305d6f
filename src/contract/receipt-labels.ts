/** Kinds of stored data, as reports and receipts name them. */
export type Kind =
  | 'visitor'
  | 'devices'
  | 'transfer codes'
  | 'unsent files'
  | 'chats'
  | 'messages'
  | 'ratings'
  | 'files'
  | 'answers'
  | 'request records'
  | 'partial answers'
  | 'reports'
  | 'readings'
  | 'report notices'
  | 'corrections'
  | 'accepted notices'
  | 'messages open to staff'

/** Data that a server cannot delete, as listed in receipts. English, because the signed text is the same in all languages; the page translates it. */
export const NOT_DELETABLE = {
  backups: { what: 'Backups', why: 'Backups made before now remain until the operator deletes them.' },
  database: {
    what: 'Database internals',
    why: 'PostgreSQL overwrites deleted rows during cleanup, and may already have sent them to replicas and archives.',
  },
  model: { why: 'It received your messages to answer them. Its own terms say how long it stores them.' },
  checks: { why: 'It received your messages and the answers to check them. Its own terms say how long it stores them.' },
} as const
