import { OFFLINE_CACHE, OFFLINE_FILES } from '../storage/offline-cache-names.ts'

/** Written in by the build: what the page needs to open, and a fingerprint of it. */
declare const PAGE_FILES: readonly string[]
declare const PAGE_VERSION: string

/** What TypeScript's library for pages lacks of a service worker. */
export interface WorkerEvent extends Event {
  readonly request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(response: Promise<Response>): void
}

/** The files of one release lie together: a page is opened with those that it was built with. */
const OWN = `page-${PAGE_VERSION}`
const PREFIX = 'page-'
const ROOT = '/'
/** What the page asks first, and can't start without. It says nothing of the visitor. */
const CONFIGURATION = '/api/v1/config'
const FILES = '/api/v1/files/'

const listen = (type: string, act: (event: WorkerEvent) => void) => addEventListener(type, act as (event: Event) => void)

listen('install', (event) => event.waitUntil(caches.open(OWN).then((cache) => cache.addAll([ROOT, CONFIGURATION, ...PAGE_FILES]))))

// No page of an earlier release is open any more: a worker only takes over then.
listen('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== OWN).map((name) => caches.delete(name)))),
  ),
)

listen('fetch', (event) => {
  const { pathname, origin, search } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(cachedFile(event.request))
  else if (pathname === CONFIGURATION || pathname === '/api/v1/logo') event.respondWith(newestOf(event.request))
  else if (pathname.startsWith(FILES) && search === '') event.respondWith(fileOfChat(event.request, pathname.slice(FILES.length)))
  else if (pathname === ROOT && search === '' && event.request.mode === 'navigate') event.respondWith(page(event.request))
})

/** A file whose name holds its hash is the same for good. */
async function cachedFile(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? store(request, await fetch(request))
}

async function newestOf(request: Request): Promise<Response> {
  try {
    return await store(request, await fetch(request))
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true })
    if (!kept) throw error
    return kept
  }
}

/** The server says whose it is. Without a connection, what the page has kept with a chat, which it removes with it. */
async function fileOfChat(request: Request, id: string): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(OFFLINE_FILES + id, { cacheName: OFFLINE_CACHE })
    if (!kept) throw error
    return kept
  }
}

/** The newest page; without a connection the one whose files are here. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (await caches.open(OWN)).match(ROOT)
    if (!kept) throw error
    return kept
  }
}

/** Unless the visitor has withdrawn: then the cache is gone, and is not made again. */
async function store(request: Request, response: Response): Promise<Response> {
  if (response.ok && (await caches.has(OWN))) await (await caches.open(OWN)).put(request, response.clone())
  return response
}
