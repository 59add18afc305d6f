/** Names and addresses of this machine as a `Host` header has them. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** A host name, IPv4 address or bracketed IPv6 address, with an optional port. */
const HOST = /^([a-z\d](?:[a-z\d._-]*[a-z\d_])?|\[[\da-f:.]+\])\.?(?::\d{1,5})?$/i

/** The name in a host with an optional port, in lower case and without a final dot; null if it is not one. */
export function hostNameOf(host: string): string | null {
  return HOST.exec(host)?.[1]?.toLowerCase() ?? null
}

/** Whether a value is a host without a port. */
export function isHostName(value: string): boolean {
  return hostNameOf(value) === value.toLowerCase()
}

/** Whether a name or address, with or without brackets, is a loopback one. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || host === '::1'
}
