import { hostNameOf, isLoopbackHost, LOOPBACK_NAMES } from '../config/host-names.ts'

export interface AllowedHostsOptions {
  listenHost: string
  publicUrl: string | null
  /** Further host names, without a port. */
  allowedHosts: readonly string[]
}

/**
 * The host names that requests can address. Without this check, a page whose own name resolves to this machine (DNS rebinding) could use
 * the API as if it were the same site. With nothing configured, a listener on loopback accepts loopback names and any other accepts all.
 */
export class AllowedHosts {
  /** Lower case; null if any host is accepted. */
  readonly #names: ReadonlySet<string> | null

  constructor({ listenHost, publicUrl, allowedHosts }: AllowedHostsOptions) {
    const configured = [...(publicUrl === null ? [] : [new URL(publicUrl).hostname]), ...allowedHosts]
    const acceptsAny = configured.length === 0 && !isLoopbackHost(listenHost)
    this.#names = acceptsAny ? null : new Set([...LOOPBACK_NAMES, ...configured].map((name) => name.toLowerCase()))
  }

  get acceptsAny(): boolean {
    return this.#names === null
  }

  /** `malformed` for anything that is not a host with an optional port. */
  check(host: string): 'allowed' | 'not_allowed' | 'malformed' {
    const name = hostNameOf(host)
    if (name === null) return 'malformed'
    return this.#names === null || this.#names.has(name) ? 'allowed' : 'not_allowed'
  }
}
