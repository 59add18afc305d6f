import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** The second pass copies what was written during the first, which is little. */
const MAX_PASSES = 3

const database = new DatabaseSync(workerData as string)
// Never waits for others, and nobody waits for it.
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

parentPort?.on('message', () => {
  let pass = 1
  while (!copyLog() && pass < MAX_PASSES) pass += 1
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage('done')
})

/** Whether the whole log is copied, so that the next writer begins it anew. */
function copyLog(): boolean {
  const row = checkpoint.get()
  return row?.['log'] === row?.['checkpointed']
}
