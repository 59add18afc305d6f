import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { EgressError } from './egress-error.ts'
import type { AddressPolicy } from './address-policy.ts'
import { connectThrough, type ProxyFor } from './outgoing-proxy.ts'

// An import would load all exports, some of which load Node's fetch and WebSocket and cost memory.
const http = process.getBuiltinModule('node:http')

export interface OutgoingRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

export type Resolver = (hostname: string, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void

export interface SendRequestOptions {
  addressPolicy: AddressPolicy
  resolve: Resolver
  proxyFor: ProxyFor
  connectTimeoutMs: number
  signal: AbortSignal
}

/** Host names that always mean this machine (RFC 6761). */
const LOCALHOST = /(^|\.)localhost\.?$/i

const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

export const resolveName: Resolver = (hostname, callback) => systemLookup(hostname, { all: true, order: 'verbatim' }, callback)

/**
 * Sends one request without following redirects. The connection resolves the name once. `addressPolicy` must allow all of its
 * addresses and the one that was connected to, so DNS rebinding has no effect; a proxy is asked for an address that was checked.
 * Rejects with `EgressError` or the signal's reason.
 */
export async function sendRequest(outgoing: OutgoingRequest, sending: SendRequestOptions): Promise<IncomingMessage> {
  const { addressPolicy, resolve: resolver, connectTimeoutMs, signal } = sending
  checkAddress(outgoing.url, addressPolicy)
  const tunnel = await tunnelFor(outgoing.url, sending)
  const options: RequestOptions = {
    method: outgoing.method,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...outgoing.headers },
    // A reused connection would have been checked for another name.
    ...(tunnel
      ? { createConnection: () => tunnel, defaultPort: PORTS[outgoing.url.protocol] }
      : { agent: false, lookup: lookupWithin(addressPolicy, resolver) }),
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
      if (tunnel && !isSecure) return clearTimeout(timer)
      // Nothing is sent before the connection stands, TLS included, so a forbidden address receives nothing.
      socket.once('connect', () => {
        if (!tunnel && !addressPolicy.mayConnect(socket.remoteAddress ?? '')) fail(new EgressError('forbidden-address'))
      })
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    })
    // Remains after the response: a late error is reported by the body and must not end the process.
    request.on('error', (cause) => fail(cause instanceof EgressError ? cause : new EgressError('unreachable', cause)))
    request.on('response', (response) => resolve(response))
    request.end(outgoing.body)
  })
}

/** The headers of a response, of which one may have several values. */
export function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  return headers
}

async function tunnelFor(
  url: URL,
  { addressPolicy, resolve, proxyFor, connectTimeoutMs, signal }: SendRequestOptions,
): Promise<Duplex | null> {
  const proxy = proxyFor(url)
  if (proxy === null) return null
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? (PORTS[url.protocol] as number) : Number(url.port)
  try {
    const target = addressPolicy.proxyResolves || isIP(host) !== 0 ? host : await addressWithin(addressPolicy, resolve, host)
    const tunnel = { proxy, host: target, port, timeoutMs: connectTimeoutMs, signal }
    return await connectThrough(tunnel, url.protocol === 'https:' ? host : undefined)
  } catch (cause) {
    if (signal.aborted || cause instanceof EgressError) throw cause
    throw new EgressError((cause as Error).name === 'TimeoutError' ? 'too-slow' : 'unreachable', cause)
  }
}

/** Resolves a host to an address that the policy allows. */
export function addressWithin(addressPolicy: AddressPolicy, resolve: Resolver, host: string): Promise<string> {
  return new Promise((found, reject) =>
    lookupWithin(addressPolicy, resolve)(host, {}, (error, address) => (error ? reject(error) : found(address as string))),
  )
}

/** @throws {EgressError} for an address that the policy forbids without a resolution. */
export function checkAddress(url: URL, addressPolicy: AddressPolicy): void {
  if (!Object.hasOwn(PORTS, url.protocol) || url.username !== '' || url.password !== '') throw new EgressError('bad-address')
  const port = url.port === '' ? (PORTS[url.protocol] as number) : Number(url.port)
  if (!addressPolicy.mayUsePort(port)) throw new EgressError('forbidden-address')
  // Literal addresses are never resolved.
  const host = LOCALHOST.test(url.hostname) ? '127.0.0.1' : url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !addressPolicy.mayConnect(host)) throw new EgressError('forbidden-address')
}

/** A lookup that finds only what the policy allows. */
export function lookupWithin(addressPolicy: AddressPolicy, resolve: Resolver): LookupFunction {
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
