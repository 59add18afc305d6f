import { isEmbedded } from '../api/embedded.ts'
import { registerWorker } from '../features/offline/register-worker.ts'
import { useApplication } from '../state/application-store.ts'
import { startCachingChats } from './cache-chats.ts'
import { startQueueingPrompts } from './queue-prompts.ts'

let hasBegun = false

/**
 * Keeps what is needed to open the page, to read and to write without a connection, as long as the visitor accepts that anything is kept.
 * To be called once that is accepted; a frame of another site and a browser that can't keep anything go without.
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
