import { isEmbedded } from '../api/embedded.ts'
import { registerWorker } from '../features/offline/register-worker.ts'
import { useApplication } from '../state/application-store.ts'
import { startCachingChats } from './cache-chats.ts'
import { startQueueingPrompts } from './queue-prompts.ts'

let hasBegun = false

/**
 * Stores what is needed to open the page, read and write offline. Call it after consent.
 * Does nothing in frames of other sites, on shared computers, and without Cache storage.
 */
export async function enableOffline(): Promise<void> {
  const { isSharedComputer } = useApplication.getState()
  if (isEmbedded || isSharedComputer || !('caches' in globalThis)) return
  if (!hasBegun) {
    hasBegun = true
    startCachingChats()
    await startQueueingPrompts()
  }
  await registerWorker()
}
