import type { Settings } from '../config/config.ts'
import { deleteAcceptedNotices, hasAcceptedNotices } from '../store/visitors/accepted-notices.ts'
import type { Database } from '../store/engine/database.ts'
import { readFact, writeFact } from '../store/engine/installation-facts.ts'
import { deleteInBatches } from '../visitors/delete-in-batches.ts'
import type { ErasureLedger } from '../visitors/erasure-ledger.ts'

const SENTENCE =
  'Staff can read what visitors send after accepting the privacy notice, which says so (STAFF_READING=all); each reading is told to the visitor.'

export function readingRequests({ staffReading }: Pick<Settings, 'staffReading'>): string[] {
  return staffReading ? [SENTENCE] : []
}

/** Deletes up to `limit` acceptances while staff can't read, so that neither a change of mind nor a backup brings them back. */
export function acceptanceDeletion(ledger: ErasureLedger, database: Database): (limit: number) => Promise<number> {
  return (limit) => ledger.deleteAllRecorded(database, 'consent', (transaction) => deleteAcceptedNotices(transaction, limit))
}

/**
 * Call it before staff can read. While they can't, stores when that began; when they can again, deletes the acceptances from before,
 * of which a process that was stopped early has left some.
 */
export async function settleAcceptances(
  { staffReading }: Pick<Settings, 'staffReading'>,
  { ledger, database, now }: { ledger: ErasureLedger; database: Database; now: () => number },
): Promise<void> {
  if (!staffReading) {
    if (await hasAcceptedNotices(database)) await writeFact(database, 'reading_ended_at', String(now()))
    return
  }
  const endedAt = Number((await readFact(database, 'reading_ended_at')) ?? 0)
  if (endedAt === 0) return
  await deleteInBatches(database, (limit) =>
    ledger.deleteAllRecorded(database, 'consent', (transaction) => deleteAcceptedNotices(transaction, limit, endedAt)),
  )
  await writeFact(database, 'reading_ended_at', '0')
}
