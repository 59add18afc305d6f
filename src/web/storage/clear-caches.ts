/** Deletes the page's cached files, and with them the service worker. Without https there are none. */
export function clearCaches(): void {
  const clear = async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    await (await navigator.serviceWorker.getRegistration())?.unregister()
  }
  if (globalThis.caches) clear().catch(console.error)
}
