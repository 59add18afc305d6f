import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendPrompt } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

interface Operation {
  operationId?: string
  description?: string
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, unknown> }
  tags?: string[]
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, unknown> }>
}
interface Document {
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: Record<string, unknown> }> }
}

let server: TestServer
let document: Document
let operations: [name: string, operation: Operation][]

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Document
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  )
})
afterAll(() => server.stop())

const operationOf = (name: string) => operations.find(([own]) => own === name)?.[1] as Operation

test('every operation has an id of its own, a description, and says what it replies', () => {
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(operations.length)
  for (const [name, { operationId, description, responses }] of operations) {
    expect(operationId, name).toMatch(/^[a-z][A-Za-z]+$/)
    expect(description, name).not.toBe('')
    expect(Object.keys(responses['200']?.content ?? {}).length, name).toBeGreaterThan(0)
    for (const status of ['4XX', '5XX']) expect(responses[status]?.$ref, name).toBe('#/components/responses/Problem')
  }
  expect(Object.keys(document.components.responses['Problem']?.content ?? {})).toEqual(['application/problem+json'])
})

test.each([
  ['POST /api/v1/agent/chat/{id}', ['application/json', 'text/event-stream']],
  ['GET /api/v1/turns/{turn}/stream', ['text/event-stream']],
  ['GET /api/v1/me/export', ['application/zip']],
  ['GET /api/v1/sessions/{key}/export', ['text/markdown', 'application/json']],
])('%s replies with %s', (name, types) => {
  expect(Object.keys(operationOf(name).responses['200']?.content ?? {})).toEqual(types)
})

test('an upload takes bytes, and what changes something takes the header for consent', () => {
  expect(Object.keys(operationOf('POST /api/v1/files').requestBody?.content ?? {})).toEqual(['application/octet-stream'])
  for (const [name, { parameters = [] }] of operations) {
    const takesConsent = parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'Privacy-Consent')
    expect(takesConsent, name).toBe(/^(?:POST|PATCH|PUT) /.test(name))
  }
})

test('replies have the media types that the document names', async () => {
  const typeOf = (response: Response) => response.headers.get('content-type')?.split(';')[0]
  const rejected = await fetch(`${server.url}/api/v1/sessions/nothing`)
  expect([rejected.status, typeOf(rejected)]).toEqual([400, 'application/problem+json'])
  const streamed = await sendPrompt(server.url, 'me', 'Hello', { headers: { accept: 'text/event-stream' } })
  expect([streamed.status, typeOf(streamed)]).toEqual([200, 'text/event-stream'])
  await streamed.text()
})

test('every operation of the staff API has an id, says who may call it and what it replies, and a tag that is described', async () => {
  const { origin } = await consoleOf(server)
  const staff = (await (await fetch(`${origin}/api/staff/openapi.json`)).json()) as Document
  const described = new Set(staff.tags.filter(({ description }) => description).map(({ name }) => name))
  for (const [path, item] of Object.entries(staff.paths)) {
    for (const [method, { operationId, description, tags = [], responses }] of Object.entries(item)) {
      const name = `${method} ${path}`
      expect(operationId, name).toMatch(/^[a-z][A-Za-z]+$/)
      expect(description, name).toMatch(/^\S.*\.$/)
      expect([...described], name).toEqual(expect.arrayContaining(tags))
      expect(
        Object.keys(responses).some((status) => /^[23]/.test(status)),
        name,
      ).toBe(true)
      expect(Object.keys(responses['4XX']?.content ?? {}), name).toEqual(['application/problem+json'])
    }
  }
  expect(Object.keys(staff.paths['/api/staff/v1/figures.csv']?.['get']?.responses['200']?.content ?? {})).toEqual(['text/csv'])
})

test('an invalid request names the field, and for an unknown one what has it', async () => {
  const errorsOf = async (response: Response) => ((await response.json()) as { errors?: unknown }).errors
  const send = (body: object) =>
    fetch(`${server.url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect(await errorsOf(await send({ prompt: 5 }))).toEqual([{ in: 'body', pointer: '#/prompt' }])
  expect(await errorsOf(await send({ prompt: 'a', canary: 1 }))).toEqual([{ in: 'body', pointer: '#' }])
  expect(await errorsOf(await fetch(`${server.url}/api/v1/sessions?limit=x`))).toEqual([{ in: 'query', pointer: '#/limit' }])
  expect(await errorsOf(await fetch(`${server.url}/api/v1/sessions?cursor=x`))).toEqual([{ in: 'query', pointer: '#/cursor' }])
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  const { body } = await owner.call<{ errors?: unknown }>('POST', 'tokens', { name: 'A', scopes: ['none'], days: 1 })
  expect(body.errors).toEqual([{ in: 'body', pointer: '#/scopes/0' }])
})
