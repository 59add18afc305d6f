import type { JSONSchema7 } from '@ai-sdk/provider'
import { z } from 'zod'

export interface HttpOperation {
  method: string
  /** Path with `{name}` for parameters. */
  path: string
  description: string
  parameters: { name: string; in: 'path' | 'query' }[]
  hasBody: boolean
  /** Schema of the tool's input: one property per parameter, and `body`. */
  inputSchema: JSONSchema7
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const MAX_DESCRIPTION_CHARACTERS = 1_000
const MAX_SCHEMA_CHARACTERS = 16_000
/** Longest chain of references. */
const MAX_REFERENCES = 8

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: z.unknown().optional(),
})
const Operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
})
const Body = z.object({ required: z.boolean().optional(), content: z.record(z.string(), z.object({ schema: z.unknown().optional() })) })
const Document = z.object({ openapi: z.string().regex(/^3\./), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** Operations of an OpenAPI 3 document by `operationId`, or why one can't be used; `null` if it is no such document. */
export function operationsOf(document: unknown): Map<string, HttpOperation | string> | null {
  const parsed = Document.safeParse(document)
  if (!parsed.success) return null
  const operations = new Map<string, HttpOperation | string>()
  for (const [path, item] of Object.entries(parsed.data.paths)) {
    for (const method of METHODS) {
      const operation = Operation.safeParse(item[method])
      const id = operation.data?.operationId
      if (!operation.success || id === undefined) continue
      const shared = Array.isArray(item['parameters']) ? (item['parameters'] as unknown[]) : []
      operations.set(id, operationOf(document, method, path, { ...operation.data, parameters: [...shared, ...operation.data.parameters] }))
    }
  }
  return operations
}

function operationOf(document: unknown, method: string, path: string, operation: z.infer<typeof Operation>): HttpOperation | string {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  const parameters: HttpOperation['parameters'] = []
  for (const reference of operation.parameters) {
    const parameter = Parameter.safeParse(resolved(document, reference))
    if (!parameter.success) return 'has an invalid parameter'
    const { name, in: place, description, schema } = parameter.data
    if (place !== 'path' && place !== 'query') {
      if (parameter.data.required) return `requires the ${place} parameter ${name}, which tools do not support; set it in headers`
      continue
    }
    parameters.push({ name, in: place })
    properties[name] = { ...(resolved(document, schema ?? {}) as object), ...(description !== undefined && { description }) }
    if (parameter.data.required || place === 'path') required.push(name)
  }
  const body = operation.requestBody === undefined ? null : Body.safeParse(resolved(document, operation.requestBody))
  if (body) {
    const json = body.data?.content['application/json']
    if (!json) return 'has a request body that is not JSON'
    properties['body'] = resolved(document, json.schema ?? {})
    if (body.data?.required) required.push('body')
  }
  const inputSchema = { type: 'object', properties, required, additionalProperties: false } as JSONSchema7
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARACTERS) return 'has an input schema that is too long'
  const description = [operation.summary, operation.description].filter(Boolean).join('. ').slice(0, MAX_DESCRIPTION_CHARACTERS)
  return {
    method: method.toUpperCase(),
    path,
    description: description || `${method.toUpperCase()} ${path}`,
    parameters,
    hasBody: body !== null,
    inputSchema,
  }
}

/** Resolves references within the document; circular and external ones accept any value. */
function resolved(document: unknown, value: unknown, followed: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(document, item, followed))
  if (typeof value !== 'object' || value === null) return value
  if (!('$ref' in value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(document, item, followed)]))
  const { $ref: reference } = value
  if (typeof reference !== 'string' || followed.includes(reference) || followed.length >= MAX_REFERENCES) return {}
  return resolved(document, pointedTo(document, reference), [...followed, reference])
}

function pointedTo(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return {}
  const steps = reference.slice(2).split('/')
  let value = document
  for (const step of steps.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return {}
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
