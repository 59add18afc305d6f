import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createEgress, readBody, type EgressLimits, type EgressRequest } from './egress.ts'
import { isPublicAddress } from './public-address.ts'
import { OPERATOR_ALLOWED, PUBLIC_ONLY, type AddressPolicy } from './address-policy.ts'
import type { Resolver } from './send-request.ts'

const LIMITS: EgressLimits = { connectTimeoutMs: 2_000, totalTimeoutMs: 5_000, maxBytes: 1_000, maxRedirects: 5 }
const HERE = [{ address: '127.0.0.1', family: 4 }]
/** A documentation address (RFC 5737), where nothing responds. */
const ELSEWHERE = [{ address: '192.0.2.1', family: 4 }]

const answering =
  (addresses: LookupAddress[]): Resolver =>
  (_, callback) =>
    callback(null, addresses)

const closing: (() => unknown)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

async function serving(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => (server.closeAllConnections(), server.close()))
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

async function ask(
  request: EgressRequest,
  {
    addressPolicy = OPERATOR_ALLOWED,
    resolve,
    ...limits
  }: Partial<EgressLimits> & { addressPolicy?: AddressPolicy; resolve?: Resolver } = {},
) {
  const egress = createEgress({ addressPolicy, limits: { ...LIMITS, ...limits }, ...(resolve && { resolve }) })
  const { url, status, headers, body } = await egress(request)
  return { url: url.href, status, headers, text: (await readBody(body)).toString() }
}

describe('PUBLIC_ONLY', () => {
  const noName: Resolver = (_, callback) => callback(new Error('Nothing may be looked up.'), [])

  test.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::ffff:7f00:1]/',
    'http://[::1]/',
    'http://0/',
    'http://１２７.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://10.0.0.1/',
  ])('rejects %s without a lookup', async (address) => {
    await expect(ask({ url: new URL(address) }, { addressPolicy: PUBLIC_ONLY, resolve: noName })).rejects.toMatchObject({
      reason: 'forbidden-address',
    })
  })

  test.each([
    'http://ok@127.0.0.1/',
    'http://ok:ok@example.org/',
    'file:///etc/passwd',
    'ftp://example.org/',
    'data:text/plain,hi',
    'gopher://a/',
  ])('rejects the invalid %s', async (address) => {
    await expect(ask({ url: new URL(address) }, { addressPolicy: PUBLIC_ONLY, resolve: noName })).rejects.toMatchObject({
      reason: 'bad-address',
    })
  })

  test.each(['http://example.org:22/', 'http://example.org:6379/', 'https://example.org:9200/'])(
    'rejects the port of %s',
    async (address) => {
      await expect(ask({ url: new URL(address) }, { addressPolicy: PUBLIC_ONLY, resolve: noName })).rejects.toMatchObject({
        reason: 'forbidden-address',
      })
    },
  )

  test.each(['http://localhost/', 'http://localhost./', 'http://LOCALHOST/'])('rejects %s, an address of this machine', async (address) => {
    await expect(ask({ url: new URL(address) }, { addressPolicy: PUBLIC_ONLY })).rejects.toMatchObject({ reason: 'forbidden-address' })
  })

  test('rejects a name with one private address among public ones', async () => {
    const resolve = answering([
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])
    await expect(ask({ url: new URL('http://example.org/') }, { addressPolicy: PUBLIC_ONLY, resolve })).rejects.toMatchObject({
      reason: 'forbidden-address',
    })
  })
})

describe('the address of a name', () => {
  /** `PUBLIC_ONLY`, except for the test server's port and an unused public address. */
  const anyPort: AddressPolicy = { mayConnect: (address) => address === '192.0.2.1' || isPublicAddress(address), mayUsePort: () => true }

  test('is resolved once, so that a second answer has no effect', async () => {
    const heard = vi.fn<() => void>()
    const url = await serving((_, response) => (heard(), response.end('inside')))
    const answers = [ELSEWHERE, HERE, HERE]
    const resolve = vi.fn<Resolver>((_, callback) => callback(null, answers.shift() ?? HERE))
    const request = ask(
      { url: new URL(`http://rebinding.example:${url.port}/`) },
      { addressPolicy: anyPort, resolve, connectTimeoutMs: 300 },
    )
    await expect(request).rejects.toMatchObject({ name: 'EgressError' })
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(heard).not.toHaveBeenCalled()
  })

  test('is rejected once it changes to a private address', async () => {
    const heard = vi.fn<() => void>()
    const url = await serving((_, response) => (heard(), response.end('inside')))
    const request = ask({ url: new URL(`http://rebound.example:${url.port}/`) }, { addressPolicy: anyPort, resolve: answering(HERE) })
    await expect(request).rejects.toMatchObject({ reason: 'forbidden-address' })
    expect(heard).not.toHaveBeenCalled()
  })

  test('is checked again on the connected socket, before anything is sent', async () => {
    const heard = vi.fn<() => void>()
    const url = await serving((_, response) => (heard(), response.end('inside')))
    const verdicts = [true, false]
    const addressPolicy: AddressPolicy = { mayConnect: () => verdicts.shift() ?? false, mayUsePort: () => true }
    await expect(
      ask({ url: new URL(`http://name.example:${url.port}/`) }, { addressPolicy, resolve: answering(HERE) }),
    ).rejects.toMatchObject({
      reason: 'forbidden-address',
    })
    expect(heard).not.toHaveBeenCalled()
  })
})

describe('redirects', () => {
  test('are followed, and the last address is reported', async () => {
    const url = await serving((request, response) =>
      request.url === '/end' ? response.end('there') : response.writeHead(302, { location: '/end' }).end(),
    )
    expect(await ask({ url })).toMatchObject({ text: 'there', url: new URL('/end', url).href })
  })

  test.each(['http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/', 'file:///etc/passwd', '//10.0.0.1/'])(
    'to %s are rejected',
    async (location) => {
      const url = await serving((_, response) => response.writeHead(302, { location }).end())
      const addressPolicy: AddressPolicy = { mayConnect: (address) => address === '127.0.0.1', mayUsePort: () => true }
      await expect(ask({ url }, { addressPolicy })).rejects.toMatchObject({ reason: expect.stringMatching(/^(forbidden|bad)-address$/) })
    },
  )

  test('that never end fail after five', async () => {
    const heard = vi.fn<() => void>()
    const url = await serving((_, response) => (heard(), response.writeHead(307, { location: '/again' }).end()))
    await expect(ask({ url })).rejects.toMatchObject({ reason: 'too-many-redirects' })
    expect(heard).toHaveBeenCalledTimes(6)
  })

  test('to another origin carry no keys or cookies', async () => {
    const heard: unknown[] = []
    const other = await serving((request, response) => (heard.push(request.headers), response.end()))
    const url = await serving((_, response) => response.writeHead(302, { location: other.href }).end())
    await ask({ url, headers: { Authorization: 'Bearer secret', Cookie: 'a=secret', 'X-Api-Key': 'secret', Accept: 'text/html' } })
    expect(JSON.stringify(heard)).not.toContain('secret')
    expect(heard).toMatchObject([{ accept: 'text/html' }])
  })

  test('never carry a body to another origin', async () => {
    const heard = vi.fn<() => void>()
    const other = await serving((_, response) => (heard(), response.end()))
    const url = await serving((_, response) => response.writeHead(307, { location: other.href }).end())
    await expect(ask({ url, method: 'POST', body: 'secret' })).rejects.toMatchObject({ reason: 'forbidden-address' })
    expect(heard).not.toHaveBeenCalled()
  })

  test('are returned if they are not to be followed', async () => {
    const url = await serving((_, response) => response.writeHead(302, { location: '/end' }).end())
    expect(await ask({ url }, { maxRedirects: 0 })).toMatchObject({ status: 302 })
  })
})

describe('a reply', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('in %s is decompressed', async (encoding, compress) => {
    const url = await serving((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(compress('hello')))
    const { text, headers } = await ask({ url })
    expect([text, headers.get('content-encoding')]).toEqual(['hello', null])
  })

  test.each<[string, string, RequestListener]>([
    ['that is too long', 'too-large', (_, response) => response.end('x'.repeat(1_001))],
    [
      'that unpacks to too much',
      'too-large',
      (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(5_000_000))),
    ],
    ['that never comes', 'too-slow', () => undefined],
    ['that never ends', 'too-slow', (_, response) => void response.write('a')],
    [
      'that breaks off',
      'unreachable',
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('a', () => response.destroy()),
    ],
    ['whose packing is broken', 'unreadable', (_, response) => response.setHeader('content-encoding', 'gzip').end('no gzip')],
    ['in an unknown encoding', 'unreadable', (_, response) => response.setHeader('content-encoding', 'gzip, gzip').end('x')],
  ])('%s fails: %s', async (_, reason, listener) => {
    const url = await serving(listener)
    await expect(ask({ url }, { totalTimeoutMs: 500 })).rejects.toMatchObject({ reason })
  })

  test('ends when its reader aborts', async () => {
    const url = await serving((_, response) => void response.write('a'))
    const giving = new AbortController()
    const egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })
    const { body } = await egress({ url, signal: giving.signal })
    giving.abort(new Error('enough'))
    await expect(readBody(body)).rejects.toThrow('enough')
  })

  test('that never arrives fails with only the code', async () => {
    await expect(ask({ url: new URL('http://127.0.0.1:1/') })).rejects.toThrow(/^unreachable \(ECONNREFUSED\)$/)
  })
})
