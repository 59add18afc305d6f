import { isEmbedded } from '../api/embedded.ts'
import { useApplication } from '../state/application-store.ts'
import { trustedScript } from '../../ui/trusted-script.ts'

const script = trustedScript('service-worker', '/service-worker.js')

/**
 * Registers the service worker, which keeps the files of a release together. Call it after consent. Does nothing in frames of other sites,
 * on shared computers, and without https.
 */
export async function registerWorker(): Promise<void> {
  if (isEmbedded || useApplication.getState().isSharedComputer || !('caches' in globalThis)) return
  await navigator.serviceWorker.register(script)
}
