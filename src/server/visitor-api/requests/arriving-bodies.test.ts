import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { sendRaw } from '../../../../test/support/raw-http.ts'
import { networkOf } from '../../limits/network.ts'
import { ArrivingBodies, boundBodies } from './arriving-bodies.ts'
import { acceptJsonOnly } from '../../platform/json-body.ts'
import { handleError } from '../../platform/problems.ts'

const KILOBYTE = 1024

/** Bodies of which five may hold ten kilobytes each, two of one network. */
function open() {
  const bodies = new ArrivingBodies({ maxBytes: 50 * KILOBYTE, maxNetworkBytes: 21 * KILOBYTE })
  const stopped: string[] = []
  const arrive = (name: string, network: string | null, bytes = 9 * KILOBYTE) => {
    const body = bodies.open(network, () => {
      body.release()
      stopped.push(name)
    })
    body.add(bytes)
    return body
  }
  return { arrive, stopped }
}

test('stops a body that exceeds its network’s limit, and admits other networks and slow bodies', () => {
  const { arrive, stopped } = open()
  for (let count = 0; count < 50; count += 1) arrive(`slow ${count}`, 'slow', 1)
  for (const name of ['a', 'b', 'c']) arrive(name, 'one')
  arrive('d', 'other')
  expect(stopped).toEqual(['c'])
})

test('stops the newest body of the network with the most bytes when there is no room for another', () => {
  const { arrive, stopped } = open()
  for (const name of ['a', 'b', 'c', 'd', 'e']) arrive(name, null)
  arrive('f', 'small')
  expect(stopped).toEqual(['e'])
})

test('does not stop a body that has arrived', () => {
  const { arrive, stopped } = open()
  for (const name of ['a', 'b', 'c', 'd', 'e']) arrive(name, null).arrived()
  arrive('f', 'small')
  expect(stopped).toEqual(['f'])
})

test('counts chunks of one byte by the memory that they take', () => {
  const { arrive, stopped } = open()
  const body = arrive('bytes', 'one', 0)
  for (let count = 0; count < 100; count += 1) body.add(1)
  expect(stopped).toEqual(['bytes'])
})

test('frees what is released, once', () => {
  const { arrive, stopped } = open()
  for (let count = 0; count < 10; count += 1) {
    const body = arrive(`${count}`, 'one')
    body.release()
    body.release()
  }
  expect(stopped).toEqual([])
})

/** A server that takes bodies of 100 KB, and half of that from a network at a time. */
async function serve() {
  const app = fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler(handleError)
  app.decorateReply('openStream', null)
  app.decorate('storageOutage', null)
  acceptJsonOnly(app)
  boundBodies(app, ({ ip }) => networkOf(ip), new ArrivingBodies({ maxBytes: 1024 * KILOBYTE, maxNetworkBytes: 50 * KILOBYTE }))
  app.post('/', { bodyLimit: 100 * KILOBYTE }, async ({ body }) => ({ characters: (body as string).length }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return (length: number, body: string) =>
    sendRaw(url, [`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`, body])
}

test('rejects a body over its network’s limit before it is complete, and accepts the next', async () => {
  const send = await serve()
  const rejected = await send(90 * KILOBYTE, 'x'.repeat(60 * KILOBYTE))
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '5'])
  expect(rejected.body).toContain('too_many_requests')
  const json = JSON.stringify('x'.repeat(40 * KILOBYTE))
  for (const again of [json, json]) expect((await send(again.length, again)).body).toBe(`{"characters":${40 * KILOBYTE}}`)
})

test('handles a body that continues after its rejection', async () => {
  const send = await serve()
  expect((await send(101 * KILOBYTE, 'x'.repeat(101 * KILOBYTE))).status).toBe(413)
  expect((await send(3, '"x"')).body).toBe('{"characters":1}')
})
