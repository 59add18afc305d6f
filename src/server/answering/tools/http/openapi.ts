import type { JSONSchema7 } from '@ai-sdk/provider'
import { z } from 'zod'
import { resolvedReference, toolSchema } from './openapi-schema.ts'
import { defaultExplode, type Parameter, type Serialization } from './parameter-styles.ts'

export interface HttpOperation {
  method: string
  /** Path with `{name}` for parameters. */
  path: string
  description: string
  parameters: Parameter[]
  body: HttpBody | null
  /** Schema of the tool's input: one property per parameter, and `body`. */
  inputSchema: JSONSchema7
}

/** `encoding`: how the properties of a form are written. */
export type HttpBody = { kind: 'json'; mediaType: string } | { kind: 'form'; mediaType: string; encoding: Record<string, Serialization> }

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const MAX_DESCRIPTION_CHARACTERS = 1_000
/** OpenAPI has these stated elsewhere, or the request has them itself. */
const OWN_HEADERS = new Set(
  'accept content-type authorization host content-length connection transfer-encoding upgrade expect te trailer keep-alive proxy-connection proxy-authorization cookie'.split(
    ' ',
  ),
)
const STYLES = ['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
const DEFAULT_STYLES = { path: 'simple', query: 'form', header: 'simple' } as const

const Style = { style: z.enum(STYLES).optional(), explode: z.boolean().optional() }
const ParameterObject = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: z.unknown().optional(),
  content: z.record(z.string(), z.object({ schema: z.unknown().optional() })).optional(),
  ...Style,
})
const OperationObject = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
})
type OperationObject = z.infer<typeof OperationObject>
const BodyObject = z.object({
  required: z.boolean().optional(),
  content: z.record(z.string(), z.object({ schema: z.unknown().optional(), encoding: z.record(z.string(), z.object(Style)).optional() })),
})
const DocumentObject = z.object({ openapi: z.string().regex(/^3\./), paths: z.record(z.string(), z.unknown()) })

/** The named operations of an OpenAPI 3 document, or why one can't be used; `null` if it is no such document. */
export function operationsOf(document: unknown, ids: readonly string[]): Map<string, HttpOperation | string> | null {
  const parsed = DocumentObject.safeParse(document)
  if (!parsed.success) return null
  const operations = new Map<string, HttpOperation | string>(ids.map((id) => [id, 'is not an operationId of the document']))
  for (const [path, reference] of Object.entries(parsed.data.paths)) {
    const item = resolvedReference(document, reference) as Record<string, unknown>
    for (const method of METHODS) {
      const operation = OperationObject.safeParse(item[method])
      const id = operation.data?.operationId
      if (!operation.success || id === undefined || !operations.has(id)) continue
      const shared = Array.isArray(item['parameters']) ? (item['parameters'] as unknown[]) : []
      operations.set(id, operationOf(document, method, path, { ...operation.data, parameters: [...shared, ...operation.data.parameters] }))
    }
  }
  return operations
}

function operationOf(document: unknown, method: string, path: string, operation: OperationObject): HttpOperation | string {
  const schemas: Record<string, unknown> = {}
  const required: string[] = []
  // An operation's own parameter replaces the shared one of its path.
  const parameters = new Map<string, Parameter>()
  for (const reference of operation.parameters) {
    const parsed = ParameterObject.safeParse(resolvedReference(document, reference))
    if (!parsed.success) return 'has an invalid parameter'
    const parameter = parameterOf(parsed.data)
    if (parameter === 'unsupported' && parsed.data.required)
      return `requires the ${parsed.data.in} parameter ${parsed.data.name}, which tools do not support; set it in headers`
    if (parameter === 'unsupported' || parameter === 'own') continue
    const { name, description, schema, content } = parsed.data
    const other = parameters.get(name)
    if (other && other.in !== parameter.in) return `has two parameters of the name ${name}`
    parameters.set(name, parameter)
    schemas[name] = {
      ...objectOf(resolvedReference(document, schema ?? Object.values(content ?? {})[0]?.schema)),
      ...(description && { description }),
    }
    if (parsed.data.required || parameter.in === 'path') required.push(name)
  }
  const body = operation.requestBody === undefined ? null : bodyOf(resolvedReference(document, operation.requestBody))
  if (typeof body === 'string') return body
  if (body && parameters.has('body')) return 'has a parameter of the name body beside its body'
  if (body) schemas['body'] = body.schema
  if (body?.isRequired) required.push('body')
  const properties = toolSchema(document, schemas)
  if (!properties) return 'has an input schema that is too long'
  const description = [operation.summary, operation.description].filter(Boolean).join('. ').slice(0, MAX_DESCRIPTION_CHARACTERS)
  return {
    method: method.toUpperCase(),
    path,
    description: description || `${method.toUpperCase()} ${path}`,
    parameters: [...parameters.values()],
    body: body && body.form,
    inputSchema: { type: 'object', properties, required: [...new Set(required)], additionalProperties: false } as JSONSchema7,
  }
}

/** `own`: the request itself has it. */
function parameterOf({ name, in: place, style, explode, content }: z.infer<typeof ParameterObject>): Parameter | 'own' | 'unsupported' {
  if (place === 'header' && OWN_HEADERS.has(name.toLowerCase())) return 'own'
  if (place !== 'path' && place !== 'query' && place !== 'header') return 'unsupported'
  const written = style ?? DEFAULT_STYLES[place]
  return { name, in: place, style: content ? 'json' : written, explode: explode ?? defaultExplode(written) }
}

/** `null` without a body that tools can send. */
function bodyOf(requestBody: unknown): { form: HttpBody; schema: unknown; isRequired: boolean } | string | null {
  const body = BodyObject.safeParse(requestBody)
  if (!body.success) return 'has an invalid request body'
  const { content, required: isRequired = false } = body.data
  const types = Object.keys(content)
  const json = types.find((type) => /^application\/(?:[\w.+-]+\+)?json(?:;|$)/i.test(type)) ?? types.find((type) => type === '*/*')
  const form = types.find((type) => /^application\/x-www-form-urlencoded(?:;|$)/i.test(type))
  const mediaType = json ?? form
  if (mediaType === undefined) return isRequired ? 'has a request body that is neither JSON nor a form' : null
  const { schema, encoding = {} } = content[mediaType] ?? {}
  if (json !== undefined) return { form: { kind: 'json', mediaType: json === '*/*' ? 'application/json' : json }, schema, isRequired }
  const encodings = Object.entries(encoding).map(([name, { style = 'form', explode }]) => [
    name,
    { style, explode: explode ?? defaultExplode(style) },
  ])
  return { form: { kind: 'form', mediaType, encoding: Object.fromEntries(encodings) as Record<string, Serialization> }, schema, isRequired }
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
