import type { Settings } from '../config/config.ts'
import { deleteAcceptedNotices } from '../store/accepted-notices.ts'
import type { Database } from '../store/database.ts'
import type { ErasureLedger } from '../visitors/erasure-ledger.ts'

const SENTENCE =
  'Staff can read what visitors send after accepting the privacy notice, which says so (STAFF_READING=all); each reading is told to the visitor.'

/** Says that staff can read chats, if they can. */
export function readingRequests({ staffReading }: Pick<Settings, 'staffReading'>): string[] {
  return staffReading ? [SENTENCE] : []
}

/**
 * Deletes up to `limit` acceptances while staff can't read. So if they can again, only what is sent after another acceptance is open to
 * them, and a restored backup brings nothing back.
 */
export function acceptanceDeletion(ledger: ErasureLedger, database: Database): (limit: number) => Promise<number> {
  return (limit) => ledger.deleteAllRecorded(database, 'consent', (transaction) => deleteAcceptedNotices(transaction, limit))
}
