import { isPublicAddress } from './public-address.ts'

/** How far a request may go: decided anew for every hop, by the address that the socket really connects to. */
export interface AddressPolicy {
  mayConnect: (address: string) => boolean
  mayUsePort: (port: number) => boolean
}

const DEFAULT_PORTS = [80, 443]

/** For addresses that a visitor, a model or a page chose: the Internet, on its usual ports. */
export const PUBLIC_ONLY: AddressPolicy = { mayConnect: isPublicAddress, mayUsePort: (port) => DEFAULT_PORTS.includes(port) }

/** For addresses that the operator wrote into the settings: anywhere, this machine included. */
export const OPERATOR_ALLOWED: AddressPolicy = { mayConnect: () => true, mayUsePort: () => true }
