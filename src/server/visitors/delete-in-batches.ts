import { Checkpointer } from '../store/engine/checkpointer.ts'
import type { Database } from '../store/engine/database.ts'
import { type BatchOptions, paceOf, runBatches } from './run-batches.ts'

/** Rows whose deletion writes some megabytes to SQLite's log: less than the size at which it would be copied on the main thread. */
const ROWS_OF_A_CHECKPOINT = 1_000

/** Calls `deleteUpTo` until it returns 0, at a pace that leaves the database and the event loop to others. Returns the sum. */
export async function deleteInBatches(
  database: Database,
  deleteUpTo: (rows: number) => Promise<number>,
  options: Partial<BatchOptions> = {},
): Promise<number> {
  const checkpointer = new Checkpointer(database)
  let uncopied = 0
  let isCopying = false
  const afterBatch = async (rows: number) => {
    uncopied += rows
    if (uncopied < ROWS_OF_A_CHECKPOINT) return
    uncopied = 0
    isCopying = true
    await checkpointer.run()
  }
  try {
    const deleted = await runBatches(deleteUpTo, { ...paceOf(database), ...options, afterBatch })
    if (isCopying) await checkpointer.run()
    return deleted
  } finally {
    await checkpointer.close()
  }
}
