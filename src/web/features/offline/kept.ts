import { KEPT_CACHE, mayKeep } from '../../storage/kept-cache.ts'

/** What is kept of the visitor's in this browser for the time without a connection, as JSON by address. The one that was put last is last. */
export interface Entry {
  path: string
  bytes: number
  read(): Promise<unknown>
}

/** One after the other, or what was removed would come again. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(act: (cache: Cache) => Promise<T>, otherwise: T): Promise<T> {
  const next = last.then(async () => (mayKeep() ? act(await caches.open(KEPT_CACHE)) : otherwise))
  last = next.catch(() => undefined)
  return next
}

/** Puts a value at the end, and takes away from the beginning what is more than `maxEntries` or `maxBytes` under the same folder. */
export function put(folder: string, name: string, value: unknown, { maxEntries, maxBytes }: { maxEntries: number; maxBytes: number }) {
  const text = JSON.stringify(value)
  const bytes = new TextEncoder().encode(text).length
  return inTurn(async (cache) => {
    const path = folder + name
    await cache.delete(path)
    if (bytes > maxBytes) return
    await cache.put(path, new Response(text, { headers: { bytes: String(bytes) } }))
    const entries = await entriesIn(cache, folder)
    let [count, total] = [entries.length, entries.reduce((sum, entry) => sum + entry.bytes, 0)]
    for (const entry of entries) {
      if (count <= maxEntries && total <= maxBytes) break
      await cache.delete(entry.path)
      count -= 1
      total -= entry.bytes
    }
  }, undefined)
}

export const remove = (path: string) => inTurn((cache) => cache.delete(path), false)

export const entries = (folder: string) => inTurn((cache) => entriesIn(cache, folder), [])

async function entriesIn(cache: Cache, folder: string): Promise<Entry[]> {
  const found: Entry[] = []
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    const response = pathname.startsWith(folder) && (await cache.match(request))
    if (response)
      found.push({ path: pathname, bytes: Number(response.headers.get('bytes')), read: () => response.json() as Promise<unknown> })
  }
  return found
}
