/** Set by the build: the files that the page needs, and their fingerprint. */
declare const PAGE_FILES: readonly string[]
declare const PAGE_VERSION: string

/** Service worker types that the DOM library lacks. */
export interface WorkerEvent extends Event {
  readonly request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(response: Promise<Response>): void
}

/** One cache per release, so a page only gets files of its own build. */
const OWN = `page-${PAGE_VERSION}`
const ROOT = '/'
/** The configuration, which the page needs to start. Contains no visitor data. */
const CONFIGURATION = '/api/v1/config'

const listen = (type: string, act: (event: WorkerEvent) => void) => addEventListener(type, act as (event: Event) => void)

listen('install', (event) => event.waitUntil(caches.open(OWN).then((cache) => cache.addAll([ROOT, CONFIGURATION, ...PAGE_FILES]))))

// A worker activates only when no page of an earlier release is open. Deletes its files.
listen('activate', (event) =>
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== OWN).map((name) => caches.delete(name))))),
)

listen('fetch', (event) => {
  const { pathname, origin, search } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(cachedFile(event.request))
  else if (pathname === CONFIGURATION || pathname === '/api/v1/logo') event.respondWith(newestOf(event.request))
  else if (pathname === ROOT && search === '' && event.request.mode === 'navigate') event.respondWith(page(event.request))
})

/** Files with a hash in their name are immutable. */
async function cachedFile(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? store(request, await fetch(request))
}

/** The server's version; offline the cached one, in another language if need be. */
async function newestOf(request: Request): Promise<Response> {
  try {
    return await store(request, await fetch(request))
  } catch (error) {
    const cached =
      (await caches.match(request, { ignoreVary: true })) ?? (await caches.match(request, { ignoreVary: true, ignoreSearch: true }))
    if (!cached) throw error
    return cached
  }
}

/** The newest page; offline, the cached one. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const cached = await (await caches.open(OWN)).match(ROOT)
    if (!cached) throw error
    return cached
  }
}

/** Caches a response, unless consent was withdrawn and the cache deleted. */
async function store(request: Request, response: Response): Promise<Response> {
  if (response.ok && (await caches.has(OWN))) await (await caches.open(OWN)).put(request, response.clone())
  return response
}
