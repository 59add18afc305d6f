import { rename } from 'node:fs/promises'
import type { ParserOutcome } from '../../parsing/parser-process.ts'
import type { Fetched, FetchedBody } from './polite-fetcher.ts'
import type { ReadingRequest, ReadResult } from './reading/page-reader.ts'

const UNREADABLE = {
  threw: 'It cannot be read.',
  time: 'It takes too long to read.',
  memory: 'It takes too much memory to read.',
  ended: 'It ends the process that reads it.',
}

export function resultOf(outcome: ParserOutcome<ReadResult>): ReadResult {
  return outcome.kind === 'parsed' ? outcome.value : { kind: 'unreadable', reason: UNREADABLE[outcome.reason] }
}

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
    const result = await this.#options.read({ kind: 'robots', path: site.path, addresses: [address] })
    return result.kind === 'robots' ? (result.allowed[0] ?? false) : unread(result)
  }

  async #read(address: string): Promise<Site> {
    const fetched = await this.#options.request(address)
    if (fetched.kind === 'failed' && !isRefused(fetched.status)) return { kind: 'closed', reason: unread(fetched) }
    if (fetched.kind !== 'body') return { kind: 'open' }
    const path = await this.#keep(fetched)
    const result = await this.#options.read({ kind: 'robots', path, addresses: [] })
    if (result.kind !== 'robots') return { kind: 'closed', reason: unread(result) }
    return { kind: 'rules', path, delayS: result.delayS, sitemaps: result.sitemaps }
  }

  async #keep({ path }: FetchedBody): Promise<string> {
    const kept = `${path}-robots-${this.#sites.size}`
    await rename(path, kept)
    return kept
  }
}

function isRefused(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500
}

function unread(result: Exclude<ReadResult, { kind: 'robots' }> | Extract<Fetched, { kind: 'failed' }>): string {
  return `robots.txt cannot be read.${'reason' in result ? ` ${result.reason}` : ''}`
}
