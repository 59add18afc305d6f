import type { Banner } from '../../../contract/banner.ts'
import type { Database } from '../engine/database.ts'
import { deleteFact, readFact, writeFact } from '../engine/installation-facts.ts'
import type { RecordChange } from './audit-log.ts'

export async function readBanner(database: Database): Promise<Banner | null> {
  const stored = await readFact(database, 'banner')
  return stored === null ? null : (JSON.parse(stored) as Banner)
}

export async function writeBanner(database: Database, banner: Banner | null, record: RecordChange): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (banner) await writeFact(transaction, 'banner', JSON.stringify(banner))
    else await deleteFact(transaction, 'banner')
    await record(transaction)
  })
}

/** Reads the banner at most every half second. While the database is away, it is the one that was read last. */
export function bannerReader(database: Database, clock: () => number): () => Promise<Banner | null> {
  let known: Promise<Banner | null> = Promise.resolve(null)
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (clock() - readAt < 500) return known
    readAt = clock()
    const before = known
    known = readBanner(database).catch(() => before)
    return known
  }
}
