import { isHostAddress, isPublicAddress } from './public-address.ts'

/** Addresses and ports of a request, checked against the address that the socket connects to, also after redirects. */
export interface AddressPolicy {
  mayConnect: (address: string) => boolean
  mayUsePort: (port: number) => boolean
  /** Whether an outgoing proxy may resolve the name. Otherwise it is resolved and checked here, and the proxy asked for the address. */
  proxyResolves?: boolean
}

const DEFAULT_PORTS = [80, 443]

/** For addresses from visitors, models or pages: the public Internet on its default ports. */
export const PUBLIC_ONLY: AddressPolicy = { mayConnect: isPublicAddress, mayUsePort: (port) => DEFAULT_PORTS.includes(port) }

/** For addresses from the settings: anything, this machine included. */
export const OPERATOR_ALLOWED: AddressPolicy = { mayConnect: () => true, mayUsePort: () => true, proxyResolves: true }

/** For a website in the operator's own network: any address but link-local ones, where clouds answer with credentials, and any port. */
export const OWN_NETWORK: AddressPolicy = { mayConnect: isHostAddress, mayUsePort: () => true }
