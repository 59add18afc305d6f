import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseSettings, openReader } from '../../store/engine/open-database.ts'
import { type ChatSearch, type SearchPage, searchChats } from './search-chats.ts'

export type SearchOutcome = { found: SearchPage } | { error: Error }

const database = await openReader(workerData as DatabaseSettings, () => undefined)

// The searcher posts one search at a time.
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
