import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The only globally routed IPv6 range (RFC 4291); `ipaddr.js` knows the special ranges within it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's WireServer: a public address that serves secrets to its machines. */
const INSIDE_ADDRESSES = ['168.63.129.16']

/**
 * Whether an address is on the public Internet: not private, loopback, link-local, shared (CGNAT), multicast or reserved, without an
 * embedded address (IPv4-mapped, NAT64, 6to4, Teredo), and not one of this machine. Invalid addresses are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  // Zones exist only in local networks.
  if (address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false
  return !INSIDE_ADDRESSES.includes(parsed.toString()) && !isOwnAddress(parsed)
}

/** Ranges of hosts: the Internet, this machine and private networks. Clouds answer with credentials in link-local ones. */
const HOST_RANGES: readonly string[] = ['unicast', 'private', 'uniqueLocal', 'carrierGradeNat', 'loopback']
/** Where clouds answer with credentials, outside the link-local range. */
const METADATA_ADDRESSES = ['fd00:ec2::254', '100.100.100.200', ...INSIDE_ADDRESSES]

/** Whether an address is of an ordinary host, in a private network too. Invalid addresses are not. */
export function isHostAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false
  const parsed = ipaddr.process(address)
  return HOST_RANGES.includes(parsed.range()) && !METADATA_ADDRESSES.includes(parsed.toString())
}

function isOwnAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? [])
  return own.some((one) => ipaddr.parse(one.address.replace(/%.*/, '')).toNormalizedString() === address.toNormalizedString())
}
