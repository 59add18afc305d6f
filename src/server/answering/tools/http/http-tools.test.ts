import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readHttpApis } from './http-apis.ts'

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

const directory = mkdtempSync(join(tmpdir(), 'parley-http-tools-'))
const echo = createServer((request, response) => {
  const { method, url, headers } = request
  text(request).then(
    (body) => response.end(JSON.stringify({ method, url, headers, body } satisfies Received)),
    () => response.destroy(),
  )
})
let base: string

beforeAll(async () => {
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  base = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
  cpSync(join(import.meta.dirname, '../../../../../test/support/openapi-documents'), directory, { recursive: true })
})
afterAll(() => {
  echo.close()
  rmSync(directory, { recursive: true })
})

interface ApiOptions {
  openapi: string
  operations: string[]
  headers?: Record<string, string>
  approval?: boolean | string[]
}

async function open(api: ApiOptions) {
  writeFileSync(join(directory, 'http-tools.json'), JSON.stringify({ httpTools: { api: { url: base, ...api } } }))
  const apis = await readHttpApis(join(directory, 'http-tools.json'), () => undefined)
  return { tools: apis.toolsOf(['api']), problems: apis.problems }
}

/** Calls the tool as a model does: what its schema rejects isn't run. */
async function call(tool: ToolSet[string] | undefined, input: unknown): Promise<Received> {
  const schema = tool?.inputSchema as { validate(value: unknown): { success: boolean; error?: Error } }
  const checked = schema.validate(input)
  if (!checked.success) throw checked.error ?? new Error('invalid')
  const reply = (await tool?.execute?.(input, { toolCallId: 'a', messages: [], context: {} })) as { content: Received }
  return reply.content
}

describe('styles of parameters, as the specification’s table has them', () => {
  const [word, array, object] = ['blue', ['blue', 'black', 'brown'], { R: 100, G: 200, B: 150 }]
  test.each<['path' | 'query' | 'header', string, boolean | undefined, unknown, string]>([
    ['path', 'matrix', false, word, ';color=blue'],
    ['path', 'matrix', false, array, ';color=blue,black,brown'],
    ['path', 'matrix', false, object, ';color=R,100,G,200,B,150'],
    ['path', 'matrix', true, array, ';color=blue;color=black;color=brown'],
    ['path', 'matrix', true, object, ';R=100;G=200;B=150'],
    ['path', 'label', false, word, '.blue'],
    ['path', 'label', false, array, '.blue,black,brown'],
    ['path', 'label', false, object, '.R,100,G,200,B,150'],
    ['path', 'label', true, array, '.blue.black.brown'],
    ['path', 'label', true, object, '.R=100.G=200.B=150'],
    ['path', 'simple', undefined, array, 'blue,black,brown'],
    ['path', 'simple', undefined, object, 'R,100,G,200,B,150'],
    ['path', 'simple', true, object, 'R=100,G=200,B=150'],
    ['query', 'form', undefined, word, '?color=blue'],
    ['query', 'form', undefined, array, '?color=blue&color=black&color=brown'],
    ['query', 'form', undefined, object, '?R=100&G=200&B=150'],
    ['query', 'form', false, array, '?color=blue,black,brown'],
    ['query', 'form', false, object, '?color=R,100,G,200,B,150'],
    ['query', 'spaceDelimited', false, array, '?color=blue%20black%20brown'],
    ['query', 'pipeDelimited', false, array, '?color=blue%7Cblack%7Cbrown'],
    ['query', 'deepObject', true, object, '?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['header', 'simple', undefined, array, 'blue,black,brown'],
    ['header', 'simple', true, object, 'R=100,G=200,B=150'],
  ])('%s, %s, explode %s: %j', async (place, style, explode, value, written) => {
    const parameter = { name: 'color', in: place, required: true, style, explode, schema: {} }
    const paths = { [place === 'path' ? '/{color}' : '/']: { get: { operationId: 'paint', parameters: [parameter] } } }
    writeFileSync(join(directory, 'styles.json'), JSON.stringify({ openapi: '3.1.0', paths }))
    const { tools } = await open({ openapi: 'styles.json', operations: ['paint'] })
    const { url, headers } = await call(tools['api_paint'], { color: value })
    expect(place === 'header' ? headers['color'] : url?.slice(1)).toBe(written)
  })
})

describe('GitHub’s document', () => {
  const operations = ['issues/create', 'issues/list-for-repo', 'repos/get-content', 'search/issues-and-pull-requests', 'gists/create']

  test('gives a tool for each operation', async () => {
    const { tools, problems } = await open({ openapi: 'github.json', operations })
    expect(problems).toEqual([])
    const [owner, repo] = ['o', 'r']
    expect(await call(tools['api_issues_create'], { owner, repo, body: { title: 'A', labels: ['b'] } })).toMatchObject({
      method: 'POST',
      url: '/repos/o/r/issues',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"A","labels":["b"]}',
    })
    const { url } = await call(tools['api_issues_list-for-repo'], { owner, repo, state: 'all', per_page: 5 })
    expect(url).toBe('/repos/o/r/issues?state=all&per_page=5')
    await expect(call(tools['api_issues_list-for-repo'], { owner, repo, state: 'ajar' })).rejects.toThrow('Invalid option')
    await expect(call(tools['api_issues_create'], { owner, repo, body: {} })).rejects.toThrow('title')
    await expect(call(tools['api_repos_get-content'], { owner, repo, path: '..' })).rejects.toThrow('not allowed for')
  })

  test('an unknown operation is left out by name, but a wrong approval turns the whole API off', async () => {
    const { tools, problems } = await open({ openapi: 'github.json', operations: [...operations, 'issues/paint'] })
    expect(Object.keys(tools)).toHaveLength(operations.length)
    expect(problems).toEqual(['http-tools.json, "api": "issues/paint" is left out: it is not an operationId of the document'])
    const mistyped = await open({ openapi: 'github.json', operations, approval: ['issues/craete'] })
    expect([mistyped.tools, mistyped.problems.length]).toEqual([{}, 1])
  })
})

describe('Stripe’s document, which is YAML and has forms', () => {
  test('gives a tool for each operation that can be expressed', async () => {
    const operations = ['PostCustomers', 'GetCharges', 'GetInvoicesSearch', 'PostFiles']
    const { tools, problems } = await open({ openapi: 'stripe.yaml', operations, headers: { Authorization: 'Bearer key' } })
    expect(problems).toEqual(['http-tools.json, "api": "PostFiles" is left out: it has a request body that is neither JSON nor a form'])
    const body = { email: 'a@example.org', expand: ['tax', 'x y'], address: { city: 'Bath', line1: '1 & 2' }, metadata: { n: '4' } }
    expect(await call(tools['api_PostCustomers'], { body })).toMatchObject({
      headers: { authorization: 'Bearer key', 'content-type': 'application/x-www-form-urlencoded' },
      body: [
        'email=a%40example.org',
        'expand%5B0%5D=tax',
        'expand%5B1%5D=x%20y',
        'address%5Bcity%5D=Bath',
        'address%5Bline1%5D=1%20%26%202',
        'metadata%5Bn%5D=4',
      ].join('&'),
    })
    const { url } = await call(tools['api_GetCharges'], { created: { gte: 5 }, limit: 3 })
    expect(url).toBe('/v1/charges?created%5Bgte%5D=5&limit=3')
    await expect(call(tools['api_PostCustomers'], { body: { address: 5 } })).rejects.toThrow('address')
  })
})

test('a header that the operator sets isn’t the model’s, nor is a line break in one', async () => {
  const parameters = ['X-Key', 'X-Note', 'Authorization'].map((name) => ({ name, in: 'header', schema: { type: 'string' } }))
  writeFileSync(
    join(directory, 'own.yaml'),
    `openapi: 3.0.3\npaths: ${JSON.stringify({ '/': { get: { operationId: 'a', parameters } } })}\n`,
  )
  const { tools } = await open({ openapi: 'own.yaml', operations: ['a'], headers: { 'x-key': 'operator' } })
  expect((await call(tools['api_a'], { 'X-Key': 'model', 'X-Note': 'note' })).headers).toMatchObject({
    'x-key': 'operator',
    'x-note': 'note',
  })
  await expect(call(tools['api_a'], { Authorization: 'x' })).rejects.toThrow('Authorization')
  await expect(call(tools['api_a'], { 'X-Note': 'a\r\nX-Key: b' })).rejects.toThrow('not allowed for x-note')
})

test('a document of OpenAPI 3.0 may have nullable values, exclusive bounds and circles', async () => {
  const schemas = {
    Node: {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer', readOnly: true },
        name: { type: 'string', nullable: true },
        weight: { type: 'number', minimum: 0, exclusiveMinimum: true },
        next: { $ref: '#/components/schemas/Node' },
      },
    },
  }
  const requestBody = { required: true, content: { 'application/vnd.api+json': { schema: { $ref: '#/components/schemas/Node' } } } }
  writeFileSync(
    join(directory, 'old.json'),
    JSON.stringify({ openapi: '3.0.0', paths: { '/': { post: { operationId: 'a', requestBody } } }, components: { schemas } }),
  )
  const { tools, problems } = await open({ openapi: 'old.json', operations: ['a'] })
  expect(problems).toEqual([])
  const { headers, body } = await call(tools['api_a'], { body: { name: null, weight: 1, next: { name: 'b' } } })
  expect([headers['content-type'], body]).toEqual(['application/vnd.api+json', '{"name":null,"weight":1,"next":{"name":"b"}}'])
  await expect(call(tools['api_a'], { body: { name: 'a', weight: 0 } })).rejects.toThrow('weight')
})
