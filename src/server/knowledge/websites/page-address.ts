import type { SourceDefinition } from './source-definition.ts'

const MAX_ADDRESS_CHARACTERS = 1_500
/** Parameters that name a visit and not a page. */
const VISIT_PARAMETERS = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|phpsessid|jsessionid|sid|session_?id)$/i
/** Endings of files that no parser here reads; a request would be wasted. */
const OTHER_FILES =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|js|mjs|map|json|xml|rss|atom|ics|vcf|zip|gz|tgz|tar|rar|7z|exe|dmg|iso|apk|mp[34]|m4[av]|avi|mov|webm|ogg|wav|woff2?|ttf|eot|xlsx?|pptx?|od[spg]|epub)$/i
const DOCUMENTS = /\.(?:pdf|docx|csv|txt|md)$/i
/** A segment that occurs more often is a sign of links that lead ever deeper. */
const MAX_SAME_SEGMENTS = 3
/** Addresses that differ in their parameters only, as those of a calendar do. */
const MAX_QUERIES_PER_PATH = 100

/** The address of a page without what doesn't matter: its fragment and the parameters of a visit. `null` for what is no web address. */
export function pageAddress(href: string, base?: string): string | null {
  if (href.length > MAX_ADDRESS_CHARACTERS) return null
  const url = URL.parse(href.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  url.pathname = url.pathname.replace(/;jsessionid=[^/]*/i, '')
  for (const name of Array.from(url.searchParams.keys())) if (VISIT_PARAMETERS.test(name)) url.searchParams.delete(name)
  return url.href.length <= MAX_ADDRESS_CHARACTERS ? url.href : null
}

/** Whether the address is of a file that is read like a page: PDF, Word, CSV or text. */
export function isDocument(address: string): boolean {
  return DOCUMENTS.test(new URL(address).pathname)
}

/** Decides which addresses belong to a source. */
export class SourceScope {
  readonly #host: string
  readonly #include: RegExp[]
  readonly #exclude: RegExp[]
  readonly #queries = new Map<string, number>()

  constructor({ website, include, exclude }: Pick<SourceDefinition, 'website' | 'include' | 'exclude'>) {
    this.#host = new URL(website).host
    this.#include = include.map(patternOf)
    this.#exclude = exclude.map(patternOf)
  }

  /** Whether an address is on the source's host, which requests may go to. */
  isOnHost(address: string): boolean {
    return new URL(address).host === this.#host
  }

  /** Whether the address is one of the source's pages, by its host, patterns and the end of its name. */
  has(address: string): boolean {
    if (!this.isOnHost(address)) return false
    const { pathname, search } = new URL(address)
    if (OTHER_FILES.test(pathname)) return false
    const path = pathname + search
    const matches = (pattern: RegExp) => pattern.test(path)
    return (this.#include.length === 0 || this.#include.some(matches)) && !this.#exclude.some(matches)
  }

  /** Whether a document that a page links to may be read, wherever on the host it is. */
  mayLinkTo(address: string): boolean {
    const { pathname, search } = new URL(address)
    return this.isOnHost(address) && !this.#exclude.some((pattern) => pattern.test(pathname + search))
  }

  /** Whether a link leads on for ever: a path that repeats itself, or one more of very many parameters. Counts the call. */
  isEndless(address: string): boolean {
    const { pathname, search } = new URL(address)
    const counts = new Map<string, number>()
    for (const segment of pathname.split('/').filter(Boolean)) counts.set(segment, (counts.get(segment) ?? 0) + 1)
    if (Math.max(0, ...counts.values()) > MAX_SAME_SEGMENTS) return true
    if (search === '') return false
    const queries = (this.#queries.get(pathname) ?? 0) + 1
    this.#queries.set(pathname, queries)
    return queries > MAX_QUERIES_PER_PATH
  }
}

/** `*` is any text within a segment, `**` any text. */
function patternOf(pattern: string): RegExp {
  const source = pattern
    .split(/(\*+)/)
    .map((piece) => (piece === '*' ? '[^/]*' : piece.startsWith('*') ? '.*' : piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('')
  return new RegExp(`^${source}$`)
}
