import { canCache } from '../../storage/offline-cache.ts'
import { OFFLINE_CACHE } from '../../storage/offline-cache-names.ts'

/** An entry of the offline cache, by path. The most recent one is last. */
export interface Entry {
  path: string
  bytes: number
  /** Path of the parent entry, with which it is removed. */
  of: string | null
  read(): Promise<unknown>
}

/** Limits of one folder. */
export interface Limits {
  maxEntries: number
  maxBytes: number
}

/** Serialises writes, or a removed entry might be written again. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(act: (cache: Cache) => Promise<T>, otherwise: T): Promise<T> {
  const next = last.then(async () => (canCache() ? act(await caches.open(OFFLINE_CACHE)) : otherwise))
  last = next.catch(() => undefined)
  return next
}

/** Appends a JSON value and evicts the oldest entries beyond the limits. */
export function put(folder: string, name: string, value: unknown, limits: Limits): Promise<void> {
  const content = new Blob([JSON.stringify(value)])
  return inTurn((cache) => store(cache, folder, name, { content, headers: new Headers() }, limits), undefined)
}

/** Like `put`, with a response body. Does nothing if the entry `of` is gone. */
export async function putAttached(of: string, folder: string, name: string, response: Response, limits: Limits): Promise<void> {
  const content = await response.blob()
  const headers = new Headers(response.headers)
  headers.set('of', of)
  await inTurn(async (cache) => {
    if (await cache.match(of)) await store(cache, folder, name, { content, headers }, limits)
  }, undefined)
}

/** Removes an entry and its children. Resolves with whether it existed. */
export const remove = (path: string) => inTurn((cache) => drop(cache, path), false)

/** The raw content of an entry. */
export const readContent = (path: string): Promise<Blob | undefined> =>
  inTurn(async (cache) => (await cache.match(path))?.blob(), undefined)

/** All entries of a folder; none where the browser has no cache. */
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
