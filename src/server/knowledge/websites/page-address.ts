import { formatOf } from '../ingestion/extract/extract.ts'
import type { SourceDefinition } from './source-definition.ts'

const MAX_ADDRESS_CHARACTERS = 1_500
/** Parameters that name a visit and not a page. */
const VISIT_PARAMETERS = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|phpsessid|jsessionid|sid|session_?id)$/i
/** Endings of files that no parser here reads; a request would be wasted. */
const OTHER_FILES =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|css|js|mjs|map|json|xml|rss|atom|ics|vcf|zip|gz|tgz|tar|rar|7z|exe|dmg|iso|apk|mp[34]|m4[av]|avi|mov|webm|ogg|wav|woff2?|ttf|eot|xls|ppt|odg)$/i
const PAGES = /\.(?:x?html?|page)$/i
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

/** Whether the address is of a file that is read like a page: PDF, Word, CSV, text and the other formats of the folder. */
export function isDocument(address: string): boolean {
  const { pathname } = new URL(address)
  return !PAGES.test(pathname) && formatOf(pathname) !== undefined
}

/** A path with parameters in the one way to write it by which RFC 9309, section 2.2.2, compares. */
export function comparablePath(path: string): string {
  const [, before = '', parameters = ''] = /^([^?]*)(.*)$/s.exec(path.toWellFormed()) ?? []
  return decodedWhere(/[\w.~-]/, before) + decodedWhere(/[\w.~:/?@[\]-]/, parameters)
}

/** Decodes these characters, and encodes those that an address may not have. */
function decodedWhere(isPlain: RegExp, text: string): string {
  const encoded = text.replace(/[^\w.~\-%:/?#[\]@!$&'()*+,;=]+/gu, encodeURIComponent)
  return encoded.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return isPlain.test(character) ? character : code.toUpperCase()
  })
}

export class SourceScope {
  readonly #hosts: ReadonlySet<string>
  readonly #include: PathPattern[]
  readonly #exclude: PathPattern[]
  readonly #queries = new Map<string, number>()

  constructor({ website, include, exclude }: Pick<SourceDefinition, 'website' | 'include' | 'exclude'>) {
    this.#hosts = new Set(website.map((address) => new URL(address).host))
    this.#include = include.map(patternOf)
    this.#exclude = exclude.map(patternOf)
  }

  isOnHost(address: string): boolean {
    return this.#hosts.has(new URL(address).host)
  }

  /** Whether the address is one of the source's pages, by its host, patterns and the end of its name. */
  has(address: string): boolean {
    return this.isOnHost(address) && !this.isOtherFile(address) && this.#matches(address)
  }

  isOtherFile(address: string): boolean {
    return !isDocument(address) && OTHER_FILES.test(new URL(address).pathname)
  }

  #matches(address: string): boolean {
    const path = pathOf(address)
    return (
      (this.#include.length === 0 || this.#include.some((one) => matches(one, path))) && !this.#exclude.some((one) => matches(one, path))
    )
  }

  /** Whether a document that a page links to may be read, wherever on a host of the source it is. */
  mayLinkTo(address: string): boolean {
    const path = pathOf(address)
    return this.isOnHost(address) && !this.#exclude.some((one) => matches(one, path))
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

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return comparablePath(pathname + search)
}

/** Characters and wildcards: `*` is any text within a segment, `**` any text. */
type PathPattern = readonly string[]

function patternOf(pattern: string): PathPattern {
  return comparablePath(pattern).match(/\*\*|\*|[^*]/g) ?? []
}

/** Follows all ways to match at once, so that time is linear in the path, whatever a site puts there. */
function matches(pattern: PathPattern, path: string): boolean {
  let ways = waysOn(pattern, [0])
  for (const character of path) {
    const next: number[] = []
    for (const way of ways) {
      const token = pattern[way]
      if (token === '**' || (token === '*' && character !== '/')) next.push(way)
      else if (token === character && token !== '*') next.push(way + 1)
    }
    ways = waysOn(pattern, next)
    if (ways.size === 0) return false
  }
  return ways.has(pattern.length)
}

/** Places in a pattern, with those behind its wildcards, which may be empty. */
function waysOn(pattern: PathPattern, places: readonly number[]): Set<number> {
  const ways = new Set<number>()
  for (const place of places)
    for (let at = place; !ways.has(at); at += 1) {
      ways.add(at)
      if (!pattern[at]?.startsWith('*')) break
    }
  return ways
}
