import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { ModelSettings } from '../../models/model-settings.ts'
import { providerTime } from './provider-time.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function modelAt(reply: RequestListener): Promise<ModelSettings> {
  const server = createServer(reply).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { kind: 'openai-compatible', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'a-key', model: 'm' }
}

test('is that of the reply, whatever its status, and no key is sent', async () => {
  let authorization: string | undefined = 'none yet'
  const model = await modelAt((request, response) => {
    authorization = request.headers.authorization
    response.writeHead(401, { date: 'Tue, 24 Nov 2026 00:50:00 GMT' }).end()
  })
  expect(await providerTime(model)).toBe(Date.UTC(2026, 10, 24, 0, 50))
  expect(authorization).toBeUndefined()
})

test.each<[string, RequestListener]>([
  ['has no date', (_, response) => response.writeHead(200, { date: '' }).end()],
  ['has a date that is none', (_, response) => response.writeHead(200, { date: 'soon' }).end()],
  ['breaks off', (request) => request.socket.destroy()],
])('is unknown if the reply %s', async (_, reply) => {
  expect(await providerTime(await modelAt(reply))).toBeUndefined()
})

test('is unknown without a provider', async () => {
  expect(await providerTime({ kind: 'builtin' })).toBeUndefined()
})
