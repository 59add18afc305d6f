import { trustedScript } from '../../ui/trusted-script.ts'

const script = trustedScript('service-worker', '/service-worker.js')

/** Has the browser keep the page's files, so that it opens without a connection. Only where that is possible: https, or this machine. */
export async function registerWorker(): Promise<void> {
  await navigator.serviceWorker?.register(script)
}
