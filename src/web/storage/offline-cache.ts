import { deviceStorage } from './storage.ts'

/** Present while the visitor consents to storage, across tabs. */
export const VERSION_KEY = 'privacy-notice-version'

export const canCache = (): boolean => deviceStorage.getItem(VERSION_KEY) !== null

/** Deletes the offline cache and the page's cached files. Without https there are none. */
export function clearOfflineCache(): void {
  const forget = async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    await (await navigator.serviceWorker.getRegistration())?.unregister()
  }
  if (globalThis.caches) forget().catch(console.error)
}
