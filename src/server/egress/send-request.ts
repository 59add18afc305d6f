import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { EgressError } from './egress-error.ts'
import type { AddressPolicy } from './address-policy.ts'

// An import reads every name that a module exports, and some of this one load Node's fetch and WebSocket: memory for nothing.
const http = process.getBuiltinModule('node:http')

export interface OutgoingRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

/** Finds all addresses of a name. */
export type Resolver = (hostname: string, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void

export interface SendRequestOptions {
  addressPolicy: AddressPolicy
  resolve: Resolver
  connectTimeoutMs: number
  signal: AbortSignal
}

/** Names that lead to this machine whatever its resolver says (RFC 6761). */
const LOCALHOST = /(^|\.)localhost\.?$/i

const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Asks this machine's resolver. */
export const resolveName: Resolver = (hostname, callback) => systemLookup(hostname, { all: true, order: 'verbatim' }, callback)

/**
 * Sends one request, following nothing. The name is resolved once, by the connection itself, every address that it has must be
 * allowed by `addressPolicy`, and so must the one that was connected to: a name that changes in between leads nowhere else.
 * Rejects with `EgressError`, or with the signal's reason.
 */
export function sendRequest(
  outgoing: OutgoingRequest,
  { addressPolicy, resolve: resolver, connectTimeoutMs, signal }: SendRequestOptions,
): Promise<IncomingMessage> {
  checkAddress(outgoing.url, addressPolicy)
  const options: RequestOptions = {
    method: outgoing.method,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...outgoing.headers },
    // A connection that was kept would have been checked for another name.
    agent: false,
    lookup: lookupWithin(addressPolicy, resolver),
    signal,
  }
  return new Promise((resolve, reject) => {
    const isSecure = outgoing.url.protocol === 'https:'
    const request = (isSecure ? httpsRequest : http.request)(outgoing.url, options)
    const fail = (failure: EgressError) => {
      clearTimeout(timer)
      request.destroy()
      reject(signal.aborted ? (signal.reason as Error) : failure)
    }
    const timer = setTimeout(() => fail(new EgressError('too-slow')), connectTimeoutMs)
    request.on('socket', (socket) => {
      // Nothing is written before a connection stands, TLS included: what is refused here has heard nothing.
      socket.once('connect', () => {
        if (!addressPolicy.mayConnect(socket.remoteAddress ?? '')) fail(new EgressError('forbidden-address'))
      })
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    })
    // Stays on after the reply: a late error is the body's to report, and must not end the process.
    request.on('error', (cause) => fail(cause instanceof EgressError ? cause : new EgressError('unreachable', cause)))
    request.on('response', (response) => resolve(response))
    request.end(outgoing.body)
  })
}

function checkAddress(url: URL, addressPolicy: AddressPolicy): void {
  if (!Object.hasOwn(PORTS, url.protocol) || url.username !== '' || url.password !== '') throw new EgressError('bad-address')
  const port = url.port === '' ? (PORTS[url.protocol] as number) : Number(url.port)
  if (!addressPolicy.mayUsePort(port)) throw new EgressError('forbidden-address')
  // An address written as such is never looked up.
  const host = LOCALHOST.test(url.hostname) ? '127.0.0.1' : url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !addressPolicy.mayConnect(host)) throw new EgressError('forbidden-address')
}

function lookupWithin(addressPolicy: AddressPolicy, resolve: Resolver): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => addressPolicy.mayConnect(address)))
        return callback(new EgressError('forbidden-address'), '')
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
}
