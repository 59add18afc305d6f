import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { readinessDetails, sendPrompt } from '../support/api.ts'
import { obey } from '../support/obedient-model.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const SECRET = 'key-canary-3f9a'
const METRICS_TOKEN = 'a-token-for-operators'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: {
        operationId: 'getOrder',
        summary: 'One order',
        parameters: [{ name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } }],
      },
      delete: { operationId: 'deleteOrder' },
    },
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
      },
    },
    '/away': { get: { operationId: 'goAway' } },
    '/much': { get: { operationId: 'getMuch' } },
    '/circle': {
      get: { operationId: 'circle', parameters: [{ name: 'node', in: 'query', schema: { $ref: '#/components/schemas/Node' } }] },
    },
  },
  components: {
    parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 40 } } },
    schemas: {
      Order: { type: 'object', properties: { tea: { type: 'string' }, cups: { type: 'integer' } }, required: ['tea'] },
      Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
    },
  },
}

describe('HTTP tools', () => {
  const directory = mkdtempSync(join(tmpdir(), 'http-'))
  const heard: { method: string; url: string; key: unknown; body: string }[] = []
  const orders = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  let model: ScriptedModel
  let server: TestServer

  beforeAll(async () => {
    orders.listen(0, '127.0.0.1')
    await once(orders, 'listening')
    model = await startScriptedModel()
    model.script(obey)
    const url = `http://127.0.0.1:${(orders.address() as AddressInfo).port}/v1/`
    const own = { openapi: './orders.json', url, headers: { 'X-Key': '${ORDERS_KEY}' } }
    const httpTools = {
      orders: { ...own, operations: ['getOrder', 'createOrder', 'goAway', 'getMuch', 'circle'] },
      typo: { ...own, operations: ['getOrders'] },
      unset: { ...own, headers: { 'X-Key': '${NO_SUCH_KEY}' }, operations: ['getOrder'] },
      lost: { ...own, openapi: './none.json', operations: ['getOrder'] },
    }
    writeFileSync(join(directory, 'orders.json'), JSON.stringify(DOCUMENT))
    writeFileSync(join(directory, 'http-tools.json'), JSON.stringify({ httpTools }))
    writeFileSync(join(directory, 'assistant.md'), '---\nname: Anna\ngreeting: Hello.\nhttp: [orders, typo]\n---\nYou are Anna.\n')
    writeFileSync(join(directory, 'one.md'), '---\nname: One\ngreeting: Hello.\ntools: []\nhttp: [orders/getOrder]\n---\nYou are One.\n')
    const env = {
      AGENTS_DIR: directory,
      TOOLS_DIR: directory,
      METRICS_TOKEN,
      OPENAI_BASE_URL: model.baseUrl,
      MODEL: 'm',
      ORDERS_KEY: SECRET,
    }
    server = await startServer({ database: 'sqlite', env })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    orders.close()
    rmSync(directory, { recursive: true })
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '', headers } = request
    heard.push({ method, url, key: headers['x-key'], body: await bodyOf(request) })
    if (url === '/v1/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else if (url === '/v1/much') response.end('x'.repeat(100_000))
    else if (url.includes('missing')) response.writeHead(404).end('{"error":"no such order"}')
    else response.end(JSON.stringify({ done: `${method} ${url}` }))
  }

  const ask = async (prompt: string, agent = 'assistant') => {
    const reply = await sendPrompt(server.url, agent, prompt)
    return ((await reply.json()) as SendPromptReply).response
  }

  test('send requests as the document describes, with the operator’s key', async () => {
    expect(JSON.parse(await ask('use orders_getOrder {"id": "a b/c?d", "fields": ["x", "y"]}'))).toMatchObject({
      source: 'the API orders',
      content: { done: 'GET /v1/orders/a%20b%2Fc%3Fd?fields=x&fields=y' },
    })
    expect(heard.at(-1)).toMatchObject({ method: 'GET', key: SECRET })
    await ask('use orders_createOrder {"body": {"tea": "green", "cups": 2}}')
    expect(heard.at(-1)).toEqual({ method: 'POST', url: '/v1/orders', key: SECRET, body: '{"tea":"green","cups":2}' })
  })

  test.each([
    ['arguments that are no JSON', 'use orders_getOrder {"id": ', /JSON|invalid/i],
    ['a missing parameter', 'use orders_getOrder {}', /invalid/i],
    ['a wrong type', 'use orders_createOrder {"body": {"tea": 3}}', /invalid/i],
    ['another parameter', 'use orders_getOrder {"id": "a", "url": "http://evil.example"}', /invalid/i],
    ['a way to another path', 'use orders_getOrder {"id": ".."}', /not allowed for id/],
    ['an operation that is not allowed', 'use orders_deleteOrder {"id": "a"}', /orders_deleteOrder/],
  ])('%s: the model gets an error, and no request is sent', async (_, prompt, said) => {
    const before = heard.length
    expect(await ask(prompt)).toMatch(said)
    expect(heard).toHaveLength(before)
  })

  test.each([
    ['a refusal', 'use orders_getOrder {"id": "missing"}', 'The service responded with status 404: {"error":"no such order"}'],
    ['a redirect', 'use orders_goAway {}', 'The service responded with status 302: ""'],
    ['too long a reply', 'use orders_getMuch {}', 'The result of the tool is too long.'],
  ])('%s is reported to the model', async (_, prompt, said) => {
    expect(await ask(prompt)).toBe(said)
  })

  test('the key is never sent to the model or logged', async () => {
    await ask('use orders_getOrder {"id": "missing"}')
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain(SECRET)
    expect(server.output()).not.toContain(SECRET)
  })

  test('an agent has only the operations that its file names', async () => {
    await ask('hello', 'one')
    expect(model.requests.at(-1)?.body.tools?.map((tool) => tool.function.name)).toEqual(['orders_getOrder'])
  })

  test('an API with a mistake is reported and does not affect the others', async () => {
    expect(await readinessDetails(server, METRICS_TOKEN)).toEqual([
      'http-tools.json, "typo": "getOrders" is left out: it is not an operationId of the document',
      'http-tools.json, "unset": NO_SUCH_KEY is not set',
      'http-tools.json, "lost": openapi is not a readable OpenAPI 3 document in JSON or YAML',
    ])
  })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
