import { rename } from 'node:fs/promises'
import type { Fetched } from './polite-fetcher.ts'
import type { ReadingRequest, ReadResult } from './reading/page-reader.ts'

interface SiteRulesOptions {
  /** Requests an address, wherever its redirects lead. */
  request: (address: string) => Promise<Fetched>
  read: (request: Extract<ReadingRequest, { kind: 'robots' }>) => Promise<ReadResult>
}

/** `open`: there is no robots.txt. `closed`: it can't be read, for this reason. */
type Site =
  | { kind: 'open' }
  | { kind: 'closed'; reason: string }
  | { kind: 'rules'; path: string; delayS: number; sitemaps: readonly string[] }

/** Asks the robots.txt of each host of a source, which is requested once and read where pages are read. */
export class SiteRules {
  readonly #options: SiteRulesOptions
  readonly #sites = new Map<string, Site>()

  constructor(options: SiteRulesOptions) {
    this.#options = options
  }

  /** Rules of an address' host. RFC 9309, section 2.3.1: all is allowed without a robots.txt, and nothing while it can't be read. */
  async of(address: string): Promise<Site> {
    const { origin } = new URL(address)
    const site = this.#sites.get(origin) ?? (await this.#read(`${origin}/robots.txt`))
    this.#sites.set(origin, site)
    return site
  }

  /** Whether a page may be requested; a reason, if its robots.txt can't be read. */
  async allow(address: string): Promise<boolean | string> {
    const site = await this.of(address)
    if (site.kind !== 'rules') return site.kind === 'open' || site.reason
    const result = await this.#options.read({ kind: 'robots', path: site.path, page: address })
    return result.kind === 'robots' ? result.isAllowed : unread(result)
  }

  async #read(address: string): Promise<Site> {
    const fetched = await this.#options.request(address)
    if (fetched.kind === 'failed' && !(fetched.status !== null && fetched.status >= 400 && fetched.status < 500))
      return { kind: 'closed', reason: unread(fetched) }
    if (fetched.kind !== 'body') return { kind: 'open' }
    const path = `${fetched.path}-robots-${this.#sites.size}`
    await rename(fetched.path, path)
    const result = await this.#options.read({ kind: 'robots', path, page: null })
    if (result.kind !== 'robots') return { kind: 'closed', reason: unread(result) }
    return { kind: 'rules', path, delayS: result.delayS, sitemaps: result.sitemaps }
  }
}

function unread(result: Exclude<ReadResult, { kind: 'robots' }> | Extract<Fetched, { kind: 'failed' }>): string {
  return `robots.txt cannot be read.${'reason' in result ? ` ${result.reason}` : ''}`
}
