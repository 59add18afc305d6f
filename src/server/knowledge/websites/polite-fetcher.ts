import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type AddressPolicy, OWN_NETWORK, PUBLIC_ONLY } from '../../egress/address-policy.ts'
import { createEgress, type Egress, type EgressResponse } from '../../egress/egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { isDocument, pageAddress } from './page-address.ts'
import { USER_AGENT } from './reading/robots.ts'

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5'
const CONNECT_LIMIT_MS = 10_000
const REQUEST_LIMIT_MS = 60_000
/** PDF and Word files are larger than pages, as are sitemaps. */
const MAX_DOCUMENT_BYTES = 20_000_000
const SITEMAP = /\.xml(?:\.gz)?$/i
/** A site that asks for a longer pause is read on with the next run. */
const MAX_RETRY_AFTER_S = 120
const REDIRECTS = [301, 302, 303, 307, 308]
const BUSY = [429, 503]
const MAX_REDIRECTS = 5

/** Headers of the last reply, for a conditional request. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

export interface FetchedBody extends Validators {
  kind: 'body'
  /** File with the body, until the next request. */
  path: string
  contentType: string
  /** Directives of `X-Robots-Tag` that are for us, in small letters. */
  robots: string[]
}

export type Fetched =
  | FetchedBody
  | { kind: 'unmodified' }
  | { kind: 'gone' }
  | { kind: 'redirect'; to: string | null }
  /** A sentence for the operator. `status`: of the reply; `null` for none. */
  | { kind: 'failed'; reason: string; status: number | null; isUnreachable: boolean; isSlow?: boolean }

export interface PoliteFetcherOptions {
  network: 'public' | 'private'
  bytesPerPage: number
  directory: string
  signal: AbortSignal
  delayS: number
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Limit for one request. */
  requestMs?: number | undefined
}

export function isSitemap(address: string): boolean {
  return SITEMAP.test(new URL(address).pathname)
}

/** Requests the pages of a source, one at a time and with a pause between two, through the guarded egress. */
export class PoliteFetcher {
  readonly #options: PoliteFetcherOptions
  readonly #pages: Egress
  readonly #documents: Egress
  readonly #path: string
  #lastEndedAt = Number.NEGATIVE_INFINITY
  /** Doubles with each busy reply and halves with each other one. */
  #busyDelayS = 0
  delayS: number
  requests = 0

  constructor(options: PoliteFetcherOptions) {
    this.#options = options
    this.delayS = options.delayS
    const policy = options.network === 'private' ? OWN_NETWORK : PUBLIC_ONLY
    const { bytesPerPage, requestMs = REQUEST_LIMIT_MS } = options
    this.#pages = egressOf(policy, bytesPerPage, requestMs)
    this.#documents = egressOf(policy, Math.max(bytesPerPage, MAX_DOCUMENT_BYTES), requestMs)
    this.#path = join(options.directory, 'body')
  }

  /** Requests an address; a site that is busy is asked a second time. Rejects only with the signal's reason. */
  async request(address: string, known: Validators = NO_VALIDATORS): Promise<Fetched> {
    const first = await this.#send(address, known)
    if (first.kind !== 'busy') {
      this.#busyDelayS /= 2
      return first
    }
    await this.#wait(first.retryAfterS * 1_000)
    this.#busyDelayS = Math.min(MAX_RETRY_AFTER_S, Math.max(1, this.delayS * 2, this.#busyDelayS * 2))
    const second = await this.#send(address, known)
    return second.kind === 'busy' ? { kind: 'failed', reason: 'The site is busy.', status: null, isUnreachable: false } : second
  }

  /** Requests an address and follows redirects as far as `mayFollow` allows; otherwise, the redirect is the result. */
  async follow(address: string, mayFollow: (to: string) => boolean | Promise<boolean>, known?: Validators): Promise<Fetched> {
    let fetched = await this.request(address, known)
    for (let hops = 0; fetched.kind === 'redirect'; hops += 1) {
      if (hops >= MAX_REDIRECTS) return { kind: 'failed', reason: 'It redirects too often.', status: null, isUnreachable: false }
      if (fetched.to === null || !(await mayFollow(fetched.to))) return fetched
      fetched = await this.request(fetched.to)
    }
    return fetched
  }

  async close(): Promise<void> {
    await rm(this.#path, { force: true })
  }

  async #send(address: string, { etag, lastModified }: Validators): Promise<Fetched | { kind: 'busy'; retryAfterS: number }> {
    await this.#wait(this.#lastEndedAt + Math.max(this.delayS, this.#busyDelayS) * 1_000 - performance.now())
    this.requests += 1
    try {
      const headers = {
        'user-agent': USER_AGENT,
        accept: ACCEPT,
        ...(etag !== null && { 'if-none-match': etag }),
        ...(lastModified !== null && { 'if-modified-since': lastModified }),
      }
      const egress = isDocument(address) || isSitemap(address) ? this.#documents : this.#pages
      return await this.#read(await egress({ url: new URL(address), headers, signal: this.#options.signal }), address)
    } catch (error) {
      this.#options.signal.throwIfAborted()
      return failureOf(error)
    } finally {
      this.#lastEndedAt = performance.now()
    }
  }

  async #read(response: EgressResponse, address: string): Promise<Fetched | { kind: 'busy'; retryAfterS: number }> {
    const { status, headers, body } = response
    if (status === 200) {
      await pipeline(body, createWriteStream(this.#path, { mode: 0o600 }), { signal: this.#options.signal })
      return {
        kind: 'body',
        path: this.#path,
        contentType: headers.get('content-type') ?? '',
        robots: directivesOf(headers.get('x-robots-tag') ?? ''),
        etag: bounded(headers.get('etag')),
        lastModified: bounded(headers.get('last-modified')),
      }
    }
    body.destroy()
    if (status === 304) return { kind: 'unmodified' }
    if (status === 404 || status === 410) return { kind: 'gone' }
    if (REDIRECTS.includes(status)) return { kind: 'redirect', to: pageAddress(headers.get('location') ?? '', address) }
    const retryAfterS = Number(headers.get('retry-after') ?? 1)
    if (BUSY.includes(status) && retryAfterS >= 0 && retryAfterS <= MAX_RETRY_AFTER_S) return { kind: 'busy', retryAfterS }
    const reason = status === 401 ? 'It asks to sign in (status 401).' : `The site replied with status ${status}.`
    return { kind: 'failed', reason, status, isUnreachable: false }
  }

  async #wait(ms: number): Promise<void> {
    const { signal, wait = (time: number) => pause(time, undefined, { signal }) } = this.#options
    if (ms > 0) await wait(ms, signal)
  }
}

function egressOf(addressPolicy: AddressPolicy, maxBytes: number, totalTimeoutMs: number): Egress {
  // The caller decides where a redirect may lead.
  const limits = { connectTimeoutMs: CONNECT_LIMIT_MS, totalTimeoutMs, maxBytes, maxRedirects: 0 }
  return createEgress({ addressPolicy, limits })
}

/** A name with a colon says for whom the directives after it are; those with a value name nobody. */
function directivesOf(header: string): string[] {
  let isOurs = true
  return header
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [, name, rest = part] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? []
      const isValue = name === 'unavailable_after' || name?.startsWith('max-')
      if (name !== undefined && !isValue) isOurs = name === USER_AGENT.toLowerCase()
      return isOurs && !isValue ? [rest.trim()] : []
    })
}

/** Headers are sent again with the next request. */
function bounded(value: string | null): string | null {
  return value !== null && value.length <= 500 ? value : null
}

export const FORBIDDEN_ADDRESS = 'Its address is not allowed: a private one needs "network: private" (add: --private).'
const REASONS: Partial<Record<EgressError['reason'], string>> = {
  'too-large': 'It is too large.',
  'too-slow': 'The site did not reply in time.',
  'forbidden-address': FORBIDDEN_ADDRESS,
  unreadable: 'Its encoding cannot be read.',
}

function failureOf(error: unknown): Fetched {
  const reason = error instanceof EgressError ? error.reason : 'unreachable'
  return {
    kind: 'failed',
    reason: REASONS[reason] ?? 'The site cannot be reached.',
    status: null,
    isSlow: reason === 'too-slow',
    isUnreachable: reason === 'unreachable' || reason === 'too-slow' || reason === 'forbidden-address',
  }
}
