import { trustedScript } from '../../ui/trusted-script.ts'

const script = trustedScript('service-worker', '/service-worker.js')

/** Registers the service worker, which makes the page available offline. Requires https or localhost. */
export async function registerWorker(): Promise<void> {
  await navigator.serviceWorker?.register(script)
}
