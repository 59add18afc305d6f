import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendPrompt } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

interface Operation {
  operationId?: string
  description?: string
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, unknown> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: Record<string, unknown> }> }
}

let server: TestServer
let document: Document
let operations: [name: string, operation: Operation][]

beforeAll(async () => {
  server = await startServer({ database: 'sqlite' })
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
