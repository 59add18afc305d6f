import { isIP } from 'node:net'

/** Loopback names and addresses as in a `Host` header. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** A host name, IPv4 address or bracketed IPv6 address, with an optional port. */
const HOST = /^([a-z\d](?:[a-z\d._-]*[a-z\d_])?|\[[\da-f:.]+\])\.?(?::\d{1,5})?$/i

/** The host name without port and final dot, in lower case; `null` if invalid. */
export function hostNameOf(host: string): string | null {
  return HOST.exec(host)?.[1]?.toLowerCase() ?? null
}

export function isHostName(value: string): boolean {
  return hostNameOf(value) === value.toLowerCase()
}

/** Whether a host name or address is loopback. Accepts IPv6 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || host === '::1'
}

export function isAddress(value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/')
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return bits > 0 && more.length === 0 && (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
}

/** Whether a value is an origin as browsers serialise it, so that exact comparison works. */
export function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.parse(value)?.origin === value
}
