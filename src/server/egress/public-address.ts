import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Of IPv6, only this is given out for the whole Internet (RFC 4291); what is special within it, `ipaddr.js` names. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's WireServer: a public address that answers on the inside of its machines only, with their secrets. */
const INSIDE_ADDRESSES = ['168.63.129.16']

/**
 * Whether the address belongs to the Internet at large: neither private, loopback, link-local, shared (CGNAT), multicast or reserved,
 * nor one that carries another address within it (IPv4-mapped, NAT64, 6to4, Teredo), nor one of this machine. What is no address is not.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  // With a zone it is of this machine's own networks.
  if (address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false
  return !INSIDE_ADDRESSES.includes(parsed.toString()) && !isOwnAddress(parsed)
}

function isOwnAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? [])
  return own.some((one) => ipaddr.parse(one.address.replace(/%.*/, '')).toNormalizedString() === address.toNormalizedString())
}
