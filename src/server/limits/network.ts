import ipaddr from 'ipaddr.js'

export interface Network {
  /** The IPv4 address, or the IPv6 /64: one household, one server. */
  own: string
  /** The surrounding IPv6 /48, which one subscriber may own; null for IPv4. */
  wide: string | null
  isLoopback: boolean
}

const OWN_BITS = 64
const WIDE_BITS = 48
const BITS_A_GROUP = 16

/** Shared by all unparsable addresses. */
const UNKNOWN: Network = { own: 'unknown', wide: null, isLoopback: false }

/** The network of a peer's address as Node gives it, `undefined` once the peer has left. An IPv4 address inside IPv6 (`::ffff:1.2.3.4`) is that IPv4 address. */
export function networkOf(address: string | undefined): Network {
  // Strips the zone of a link-local address, which names a local interface.
  const [bare = ''] = address?.split('%') ?? []
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return UNKNOWN
  const parsed = ipaddr.process(bare)
  const isLoopback = parsed.range() === 'loopback'
  if (parsed instanceof ipaddr.IPv4) return { own: parsed.toString(), wide: null, isLoopback }
  return { own: prefixOf(parsed, OWN_BITS), wide: prefixOf(parsed, WIDE_BITS), isLoopback }
}

function prefixOf(address: ipaddr.IPv6, bits: number): string {
  const groups = address.parts.slice(0, bits / BITS_A_GROUP).map((group) => group.toString(16))
  return `${groups.join(':')}::/${bits}`
}
