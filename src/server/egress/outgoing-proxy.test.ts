import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { INTERCEPTING_CERTIFICATE, startConnectProxy, startIntercepted } from '../../../test/support/connect-proxy.ts'
import { type AddressPolicy, OPERATOR_ALLOWED, PUBLIC_ONLY } from './address-policy.ts'
import { createEgress, type EgressRequest, readBody } from './egress.ts'
import { proxiesOf, type ProxyEnvironment } from './outgoing-proxy.ts'
import type { Resolver } from './send-request.ts'

const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxBytes: 10_000, maxRedirects: 5 }
const PUBLIC = '93.184.215.14'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, INTERCEPTING_CERTIFICATE]))
afterAll(() => setDefaultCACertificates(trusted))

const answering =
  (...addresses: string[]): Resolver =>
  (_, callback) =>
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: 4 })),
    )
const lost: Resolver = (_, callback) => callback(Object.assign(new Error('No such name'), { code: 'ENOTFOUND' }), [])

async function proxied(ports: Record<string, number>, credentials?: string) {
  const proxy = await startConnectProxy({ ports, ...(credentials !== undefined && { credentials }) })
  closing.push(proxy.close)
  return proxy
}

async function secure(listener: RequestListener) {
  const server = await startIntercepted(listener)
  closing.push(server.close)
  return server.port
}

async function ask(
  address: string,
  environment: ProxyEnvironment,
  { addressPolicy, resolve, ...request }: { addressPolicy: AddressPolicy; resolve: Resolver } & Partial<EgressRequest>,
) {
  const egress = createEgress({ addressPolicy, limits: LIMITS, resolve, proxyFor: proxiesOf(environment) })
  const { status, body } = await egress({ url: new URL(address), ...request })
  return { status, text: (await readBody(body)).toString() }
}

describe('an address from a model, a page or a sitemap', () => {
  test('is resolved and checked here, and the proxy asked for that very address, with the name in TLS and Host', async () => {
    const port = await secure((request, response) => response.end(`${request.headers.host} ${Reflect.get(request.socket, 'servername')}`))
    const proxy = await proxied({ [`${PUBLIC}:443`]: port })
    const reply = await ask('https://example.org/', { HTTPS_PROXY: proxy.url }, { addressPolicy: PUBLIC_ONLY, resolve: answering(PUBLIC) })
    expect(reply).toEqual({ status: 200, text: 'example.org example.org' })
    expect(proxy.asked).toEqual([`${PUBLIC}:443`])
  })

  test('is also reached without TLS', async () => {
    const server = createServer((request, response) => response.end(request.headers.host)).listen(0, '127.0.0.1')
    closing.push(() => server.close())
    await once(server, 'listening')
    const proxy = await proxied({ [`${PUBLIC}:80`]: (server.address() as AddressInfo).port })
    const reply = await ask('http://example.org/', { HTTP_PROXY: proxy.url }, { addressPolicy: PUBLIC_ONLY, resolve: answering(PUBLIC) })
    expect(reply).toEqual({ status: 200, text: 'example.org' })
  })

  test.each([
    ['a private address', answering('10.0.0.1'), 'forbidden-address'],
    ['a private address among others', answering(PUBLIC, '10.0.0.1'), 'forbidden-address'],
    ['no address that is known here', lost, 'unreachable (ENOTFOUND)'],
  ])('with %s is not asked for', async (_, resolve, message) => {
    const proxy = await proxied({})
    await expect(ask('https://example.org/', { HTTPS_PROXY: proxy.url }, { addressPolicy: PUBLIC_ONLY, resolve })).rejects.toThrow(message)
    expect(proxy.asked).toEqual([])
  })

  test('leads nowhere else by a redirect', async () => {
    const port = await secure((_, response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end())
    const proxy = await proxied({ [`${PUBLIC}:443`]: port })
    const reply = ask('https://example.org/', { HTTPS_PROXY: proxy.url }, { addressPolicy: PUBLIC_ONLY, resolve: answering(PUBLIC) })
    await expect(reply).rejects.toThrow('forbidden-address')
    expect(proxy.asked).toHaveLength(1)
  })
})

describe('an address of the operator', () => {
  test('is resolved by the proxy, which may be the only one that can', async () => {
    const port = await secure((request, response) => request.pipe(response))
    const proxy = await proxied({ 'model.example:443': port }, 'name:pass word')
    const environment = { https_proxy: proxy.url.replace('//', '//name:pass%20word@') }
    const request = { addressPolicy: OPERATOR_ALLOWED, resolve: lost, method: 'POST', body: 'hello' }
    expect(await ask('https://model.example/v1', environment, request)).toEqual({ status: 200, text: 'hello' })
    expect(proxy.asked).toEqual(['model.example:443'])
  })

  test.each([
    ['no credentials', 'name:password', 'unreachable (PROXY_407)'],
    ['a host that the proxy refuses', undefined, 'unreachable (PROXY_403)'],
  ])('with %s fails with the status of the proxy', async (_, credentials, message) => {
    const proxy = await proxied({}, credentials)
    const reply = ask('https://model.example/', { HTTPS_PROXY: proxy.url }, { addressPolicy: OPERATOR_ALLOWED, resolve: lost })
    await expect(reply).rejects.toThrow(message)
  })

  test('behind a certificate that is not known fails with its error', async () => {
    const proxy = await proxied({ 'other.example:443': await secure((_, response) => response.end()) })
    const reply = ask('https://other.example/', { HTTPS_PROXY: proxy.url }, { addressPolicy: OPERATOR_ALLOWED, resolve: lost })
    await expect(reply).rejects.toThrow('unreachable (ERR_TLS_CERT_ALTNAME_INVALID)')
  })
})

test.each([
  ['https://example.org/', '', true],
  ['http://example.org/', '', false],
  ['https://example.org/', '*', false],
  ['https://example.org/', 'example.org', false],
  ['https://www.example.org/', 'other.org, example.org', false],
  ['https://www.example.org/', '.example.org', false],
  ['https://www.example.org/', '*.example.org', false],
  ['https://myexample.org/', 'example.org', true],
  ['https://example.org:8443/', 'example.org:443', true],
  ['https://example.org/', 'example.org:443', false],
  ['https://10.1.2.3/', '10.0.0.0/8', false],
  ['https://11.1.2.3/', '10.0.0.0/8', true],
  ['https://[fd00::1]/', 'fd00::/8', false],
  ['https://[fd00::1]/', 'fd00::1', false],
  ['https://localhost/', '', false],
  ['https://127.0.0.1:8080/', '', false],
  ['https://[::1]/', '', false],
])('%s with NO_PROXY=%s goes through HTTPS_PROXY: %s', (address, exempt, isProxied) => {
  const proxyFor = proxiesOf({ HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: exempt })
  expect(proxyFor(new URL(address)) !== null).toBe(isProxied)
})
