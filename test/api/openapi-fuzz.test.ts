import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { sampleSize } from '../support/sample-size.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** As far as the document uses it. */
interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  maxLength?: number
}
interface Operation {
  parameters?: { in: 'query' | 'path' | 'header'; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>
}
interface Request {
  name: string
  path: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

const REQUESTS = sampleSize({ long: 5_000, short: 1_000 })
const SEED = Number(process.env['SEED'] ?? sampleSize({ long: Date.now() % 2 ** 31, short: 1 }))
/** A stream's beginning is enough; some have no end. */
const STREAM = 'text/event-stream'
/** These end what the other requests need. */
const LEFT_OUT = new Set(['DELETE /api/v1/me', 'DELETE /api/v1/me/device', 'DELETE /api/v1/me/devices'])

let server: TestServer
let cookie: string
let operations: [name: string, operation: Operation][]
let known: Record<string, string>
let problem: Operation['responses'][string]
/** Names of operations of which a request succeeded. */
const succeeded = new Set<string>()
const validators = new Map<Schema, ValidateFunction>()
const ajv = new Ajv2020({ strict: false, validateFormats: false })

beforeAll(async () => {
  const env = Object.fromEntries(['PROMPTS_PER_DAY', 'PROMPTS_PER_HOUR', 'PROMPTS_PER_MINUTE'].map((limit) => [`LIMIT_${limit}`, '100000']))
  server = await startServer({ database: 'sqlite', env })
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { responses: { Problem: Operation['responses'][string] } }
  }
  problem = document.components.responses.Problem
  operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map(([method, one]): [string, Operation] => [`${method.toUpperCase()} ${path}`, one]))
    .filter(([name]) => !LEFT_OUT.has(name))
    // What deletes comes last, because the others need what it deletes.
    .toSorted(([one], [other]) => Number(one.startsWith('DELETE')) - Number(other.startsWith('DELETE')))
  const response = await sendPrompt(server.url, 'me', 'Hello')
  cookie = cookieOf(response)
  const { session_id: key } = (await response.json()) as { session_id: string }
  const detail = await (await fetch(`${server.url}/api/v1/sessions/${key}`, { headers: { cookie } })).json()
  const { id: message, metadata } = (detail as { messages: { id: string; metadata: { turnId: string } }[] }).messages[1]!
  const upload = { method: 'POST', headers: { cookie, 'content-type': 'application/octet-stream' }, body: 'A text.' }
  const { id: file } = (await (await fetch(`${server.url}/api/v1/files?name=a.txt`, upload)).json()) as { id: string }
  known = { key, turn: metadata.turnId, session_id: key, message, file }
})
afterAll(() => server.stop())

/** Values of a schema, and now and then others. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue() })
}

/** Values of a schema, half of them the one that the server knows by this name. */
function knownOr(name: string, schema: Schema): fc.Arbitrary<unknown> {
  return known[name] === undefined ? valuesOf(schema) : fc.oneof(fc.constant(known[name]), valuesOf(schema))
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { type, properties, items } = schema
  const options = schema.anyOf ?? schema.oneOf
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (options) return fc.oneof(...options.map(fitting))
  if (properties) {
    const optional = Object.keys(properties).filter((name) => !schema.required?.includes(name))
    const all = fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, knownOr(name, one)])))
    return fc
      .tuple(all, fc.subarray(optional))
      .map(([value, dropped]) => Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.includes(name))))
  }
  if (type === 'array') return fc.array(items ? valuesOf(items) : fc.jsonValue(), { maxLength: 3 })
  if (type === 'integer' || type === 'number') return fc.integer({ min: -2, max: 200 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern))
  return fc.oneof(fc.constantFrom('', 'Hello', 'What is 15% of 240?', '\u0000', '../..'), fc.string({ maxLength: 40 }))
}

function requestsOf(name: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Request> {
  const [method = '', template = ''] = name.split(' ')
  const given = fc.tuple(
    ...parameters.map((parameter) => {
      const fits = knownOr(parameter.name, parameter.schema)
      return fc.tuple(fc.constant(parameter), parameter.required ? fits : fc.option(fits, { nil: undefined }))
    }),
  )
  const [mediaType, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = media
    ? mediaType === 'application/json'
      ? valuesOf(media.schema).map((value) => JSON.stringify(value))
      : fc.string({ maxLength: 200 })
    : fc.constant(undefined)
  return fc.tuple(given, body, fc.boolean(), fc.integer({ min: 0, max: 9 })).map(([values, content, accepts, chance]) => {
    const path = values.reduce(
      (text, [{ in: where, name: own }, value]) => (where === 'path' ? text.replace(`{${own}}`, encodeURIComponent(textOf(value))) : text),
      template,
    )
    const query = new URLSearchParams(
      values.flatMap(([{ in: where, name: own }, value]) => (where === 'query' && value !== undefined ? [[own, textOf(value)]] : [])),
    )
    const headers = values.flatMap(([{ in: where, name: own }, value]) =>
      where === 'header' && value !== undefined ? [[own, textOf(value).replaceAll(/[^\x20-\x7e]/g, '')]] : [],
    )
    const type = content === undefined ? {} : { 'content-type': mediaType as string }
    const accept = accepts ? { accept: STREAM } : {}
    return {
      name,
      path: `${path}${query.size > 0 ? `?${query}` : ''}`,
      method,
      headers: { ...Object.fromEntries(headers), ...type, ...accept, ...(chance > 1 && { cookie }) },
      body: content,
    }
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

function validatorOf(schema: Schema): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate
}

/** How a reply contradicts the document; `null` if it doesn't. */
async function contradiction({ name, path, method, headers, body }: Request): Promise<string | null> {
  const leaving = new AbortController()
  const init = { method, headers, redirect: 'manual' as const, signal: leaving.signal, ...(body !== undefined && { body }) }
  const response = await fetch(new URL(path, server.url), init)
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  try {
    const operation = operations.find(([own]) => own === name)?.[1]
    const documented = response.status >= 400 ? problem : operation?.responses[response.status]
    if (response.status < 300) succeeded.add(name)
    if (response.status === 500) return 'an internal error'
    if (!documented) return `status ${response.status} is not documented`
    if (response.status === 204 && type === '') return null
    const media = documented.content?.[type]
    if (!media) return `${response.status} with ${type || 'no type'} is not documented`
    if (type !== 'application/json' && type !== 'application/problem+json') return null
    const value: unknown = await response.json()
    const validate = validatorOf(media.schema ?? {})
    return validate(value) ? null : `${response.status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 300)}`
  } finally {
    leaving.abort()
  }
}

test(`no reply to ${REQUESTS} random requests contradicts the OpenAPI document`, { timeout: 600_000 }, async () => {
  console.log(`SEED=${SEED}`)
  const perOperation = Math.ceil(REQUESTS / operations.length)
  for (const [name, operation] of operations) {
    const requests = fc.sample(requestsOf(name, operation), { seed: SEED, numRuns: perOperation })
    const found = await Promise.all(requests.map(async (request) => ({ request, fault: await contradiction(request) })))
    expect(found.filter(({ fault }) => fault !== null).slice(0, 3), name).toEqual([])
  }
  // Requests that are rejected alone would say little.
  expect(succeeded.size).toBeGreaterThan(operations.length / 2)
})
