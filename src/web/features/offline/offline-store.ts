import { canCache } from '../../storage/offline-cache.ts'
import { OFFLINE_CACHE } from '../../storage/offline-cache-names.ts'

/** What is kept of the visitor's in this browser for the time without a connection, by address. The one that was put last is last. */
export interface Entry {
  path: string
  bytes: number
  /** Address of the entry that it goes with, and is removed with. */
  of: string | null
  read(): Promise<unknown>
}

/** How much there may be under one folder. */
export interface Limits {
  maxEntries: number
  maxBytes: number
}

/** One after the other, or what was removed would come again. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(act: (cache: Cache) => Promise<T>, otherwise: T): Promise<T> {
  const next = last.then(async () => (canCache() ? act(await caches.open(OFFLINE_CACHE)) : otherwise))
  last = next.catch(() => undefined)
  return next
}

/** Puts a value, as JSON, at the end, and takes away from the beginning what is more than there may be. */
export function put(folder: string, name: string, value: unknown, limits: Limits): Promise<void> {
  const content = new Blob([JSON.stringify(value)])
  return inTurn((cache) => store(cache, folder, name, { content, headers: new Headers() }, limits), undefined)
}

/** As `put`, with what came in a response, as long as the entry `of` is there. */
export async function putBeside(of: string, folder: string, name: string, response: Response, limits: Limits): Promise<void> {
  const content = await response.blob()
  const headers = new Headers(response.headers)
  headers.set('of', of)
  await inTurn(async (cache) => {
    if (await cache.match(of)) await store(cache, folder, name, { content, headers }, limits)
  }, undefined)
}

/** Removes it, and what goes with it; whether it was there. */
export const remove = (path: string) => inTurn((cache) => drop(cache, path), false)

/** What was put under an address, as it came. */
export const readContent = (path: string): Promise<Blob | undefined> =>
  inTurn(async (cache) => (await cache.match(path))?.blob(), undefined)

export const entries = (folder: string) => inTurn((cache) => entriesIn(cache, folder), [])

async function store(
  cache: Cache,
  folder: string,
  name: string,
  { content, headers }: { content: Blob; headers: Headers },
  { maxEntries, maxBytes }: Limits,
): Promise<void> {
  const path = folder + name
  if (content.size > maxBytes) return void (await drop(cache, path))
  headers.set('bytes', String(content.size))
  await cache.delete(path)
  await cache.put(path, new Response(content, { headers }))
  const found = await entriesIn(cache, folder)
  let [count, total] = [found.length, found.reduce((sum, entry) => sum + entry.bytes, 0)]
  for (const entry of found) {
    if (count <= maxEntries && total <= maxBytes) break
    await drop(cache, entry.path)
    count -= 1
    total -= entry.bytes
  }
}

async function drop(cache: Cache, path: string): Promise<boolean> {
  const wasThere = await cache.delete(path)
  for (const { path: other, of } of await entriesIn(cache, '/')) if (of === path) await cache.delete(other)
  return wasThere
}

async function entriesIn(cache: Cache, folder: string): Promise<Entry[]> {
  const found: Entry[] = []
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    const response = pathname.startsWith(folder) && (await cache.match(request))
    if (!response) continue
    const { headers } = response
    const read = () => response.json() as Promise<unknown>
    found.push({ path: pathname, bytes: Number(headers.get('bytes')), of: headers.get('of'), read })
  }
  return found
}
