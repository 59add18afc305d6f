import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moderationEndpoint } from './moderation-endpoint.ts'

let server: Server
let url: string
let reply: { status: number; body: string }
let received: { headers: IncomingMessage['headers']; body: unknown }[]
beforeEach(async () => {
  reply = { status: 200, body: '{"results": [{"flagged": false}]}' }
  received = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: request.headers, body: await json(request) })
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  }
  server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/moderations`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

test('sends the text, with the key and the model if there are any', async () => {
  await moderationEndpoint({ url, apiKey: 'secret', model: 'small' })('Hello')
  await moderationEndpoint({ url, apiKey: null, model: null })('Hello')
  expect(received).toMatchObject([
    { headers: { 'content-type': 'application/json', authorization: 'Bearer secret' }, body: { input: 'Hello', model: 'small' } },
    { headers: { 'content-type': 'application/json' }, body: { input: 'Hello' } },
  ])
  expect([received[1]?.headers.authorization, received[1]?.body]).toEqual([undefined, { input: 'Hello' }])
})

test('flags a text if one of the results does', async () => {
  const flags = moderationEndpoint({ url, apiKey: null, model: null })
  expect(await flags('Hello')).toBe(false)
  reply.body = '{"results": [{"flagged": false}, {"flagged": true}]}'
  expect(await flags('Hello')).toBe(true)
})

test.each([
  ['an error', 500, '{"results": [{"flagged": false}]}'],
  ['no result', 200, '{"results": []}'],
  ['no JSON', 200, 'Hello'],
])('has no verdict after %s', async (_, status, body) => {
  reply = { status, body }
  await expect(moderationEndpoint({ url, apiKey: null, model: null })('secret words')).rejects.toThrow(/^(?!.*secret words)/s)
})
