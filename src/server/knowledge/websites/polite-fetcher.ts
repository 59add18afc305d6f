import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type AddressPolicy, OWN_NETWORK, PUBLIC_ONLY } from '../../egress/address-policy.ts'
import { createEgress, type Egress, type EgressResponse } from '../../egress/egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { isDocument, pageAddress } from './page-address.ts'
import { USER_AGENT } from './robots.ts'

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5'
const CONNECT_LIMIT_MS = 10_000
const REQUEST_LIMIT_MS = 60_000
/** PDF and Word files are larger than pages. */
const MAX_DOCUMENT_BYTES = 20_000_000
/** A site that asks for a longer pause is read on with the next run. */
const MAX_RETRY_AFTER_S = 120
const REDIRECTS = [301, 302, 303, 307, 308]
const BUSY = [429, 503]

/** Headers of the last reply, for a conditional request. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export interface FetchedBody extends Validators {
  kind: 'body'
  /** File with the body, until the next request. */
  path: string
  contentType: string
  /** `X-Robots-Tag`, in small letters. */
  robots: string[]
}

export type Fetched =
  | FetchedBody
  | { kind: 'unmodified' }
  | { kind: 'gone' }
  | { kind: 'redirect'; to: string | null }
  /** A sentence for the operator. `isUnreachable`: nothing was replied. */
  | { kind: 'failed'; reason: string; isUnreachable: boolean }

export interface PoliteFetcherOptions {
  network: 'public' | 'private'
  bytesPerPage: number
  /** Folder for bodies. */
  directory: string
  signal: AbortSignal
  delayS: number
  /** Waits; for tests. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

/** Requests the pages of one host, one at a time and with a pause between two, through the guarded egress. */
export class PoliteFetcher {
  readonly #options: PoliteFetcherOptions
  readonly #pages: Egress
  readonly #documents: Egress
  readonly #path: string
  #lastEndedAt = Number.NEGATIVE_INFINITY
  /** Seconds between two requests. */
  delayS: number
  /** Number of requests so far. */
  requests = 0

  constructor(options: PoliteFetcherOptions) {
    this.#options = options
    this.delayS = options.delayS
    const policy = options.network === 'private' ? OWN_NETWORK : PUBLIC_ONLY
    this.#pages = egressOf(policy, options.bytesPerPage)
    this.#documents = egressOf(policy, Math.max(options.bytesPerPage, MAX_DOCUMENT_BYTES))
    this.#path = join(options.directory, 'body')
  }

  /** Requests an address; a site that is busy is asked a second time. Rejects only with the signal's reason. */
  async request(address: string, known: Validators = { etag: null, lastModified: null }): Promise<Fetched> {
    const first = await this.#send(address, known)
    if (first.kind !== 'busy') return first
    await this.#wait(first.retryAfterS * 1_000)
    this.delayS = Math.min(MAX_RETRY_AFTER_S, Math.max(1, this.delayS * 2))
    const second = await this.#send(address, known)
    return second.kind === 'busy' ? { kind: 'failed', reason: 'The site is busy.', isUnreachable: false } : second
  }

  /** Removes the last body. */
  async close(): Promise<void> {
    await rm(this.#path, { force: true })
  }

  async #send(address: string, { etag, lastModified }: Validators): Promise<Fetched | { kind: 'busy'; retryAfterS: number }> {
    await this.#wait(this.#lastEndedAt + this.delayS * 1_000 - performance.now())
    this.requests += 1
    try {
      const headers = {
        'user-agent': USER_AGENT,
        accept: ACCEPT,
        ...(etag !== null && { 'if-none-match': etag }),
        ...(lastModified !== null && { 'if-modified-since': lastModified }),
      }
      const egress = isDocument(address) ? this.#documents : this.#pages
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
        robots: (headers.get('x-robots-tag') ?? '').toLowerCase().split(/[\s,:]+/),
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
    return { kind: 'failed', reason: `The site replied with status ${status}.`, isUnreachable: false }
  }

  async #wait(ms: number): Promise<void> {
    const { signal, wait = (time: number) => pause(time, undefined, { signal }) } = this.#options
    if (ms > 0) await wait(ms, signal)
  }
}

function egressOf(addressPolicy: AddressPolicy, maxBytes: number): Egress {
  // The caller decides where a redirect may lead.
  const limits = { connectTimeoutMs: CONNECT_LIMIT_MS, totalTimeoutMs: REQUEST_LIMIT_MS, maxBytes, maxRedirects: 0 }
  return createEgress({ addressPolicy, limits })
}

/** Headers are sent again with the next request. */
function bounded(value: string | null): string | null {
  return value !== null && value.length <= 500 ? value : null
}

const REASONS: Partial<Record<EgressError['reason'], string>> = {
  'too-large': 'It is too large.',
  'too-slow': 'The site did not reply in time.',
  'forbidden-address': 'Its address is not allowed: a private one needs "network: private".',
  unreadable: 'Its encoding cannot be read.',
}

function failureOf(error: unknown): Fetched {
  const reason = error instanceof EgressError ? error.reason : 'unreachable'
  return {
    kind: 'failed',
    reason: REASONS[reason] ?? 'The site cannot be reached.',
    isUnreachable: reason === 'unreachable' || reason === 'too-slow' || reason === 'forbidden-address',
  }
}
