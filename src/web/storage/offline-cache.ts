import { deviceStorage } from './storage.ts'

/** There while the visitor accepts that this browser keeps something, in whichever tab that was last decided. */
export const VERSION_KEY = 'privacy-notice-version'

export const canCache = (): boolean => deviceStorage.getItem(VERSION_KEY) !== null

/** Removes it, and the page's own files. Browsers without https have neither. */
export function clearOfflineCache(): void {
  const forget = async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    await (await navigator.serviceWorker.getRegistration())?.unregister()
  }
  if (globalThis.caches) forget().catch(console.error)
}
