import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseSettings, openReader } from '../../store/database.ts'
import { type ChatSearch, type SearchPage, searchChats } from './search-chats.ts'

/** What came of a search: what was found, or why that is not known. */
export type SearchOutcome = { found: SearchPage } | { error: Error }

const database = await openReader(workerData as DatabaseSettings, () => undefined)

// One search at a time: who asks waits for the one before.
parentPort?.on('message', (search: ChatSearch) => {
  searchChats(database, search).then(
    (found) => answer({ found }),
    (error: Error) => answer({ error }),
  )
})

function answer(outcome: SearchOutcome): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(outcome)
}
