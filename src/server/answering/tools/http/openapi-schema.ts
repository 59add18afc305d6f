/** Schemas of OpenAPI 3.0 and 3.1 for models: references resolved, only keywords that validate or explain. */

const MAX_CHARACTERS = 16_000
/** Levels and characters of nested descriptions, most first: a long schema loses its depths, which then accept any value. */
const DETAILS = [
  { levels: 8, characters: 300 },
  { levels: 6, characters: 100 },
  { levels: 4, characters: 100 },
  { levels: 3, characters: 60 },
  { levels: 3, characters: 0 },
  { levels: 2, characters: 0 },
]
/** Longest chain of references. */
const MAX_REFERENCES = 8

const PLAIN =
  'type enum const default required minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties'.split(
    ' ',
  )
const LISTS = ['allOf', 'anyOf', 'oneOf']
const NESTED = ['items', 'additionalProperties', 'not']

interface Details {
  levels: number
  characters: number
}

/** The named schemas with as much detail as fits into a tool's input; `null` if even the least is too long. */
export function toolSchema(document: unknown, schemas: Record<string, unknown>): Record<string, unknown> | null {
  for (const details of DETAILS) {
    const properties = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaOf(document, schema, details, [])]))
    if (JSON.stringify(properties).length <= MAX_CHARACTERS) return properties
  }
  return null
}

/** Circular references, external ones and what is nested deeper accept any value. */
function schemaOf(document: unknown, value: unknown, { levels, characters }: Details, followed: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value === false ? false : {}
  const { $ref: reference } = value as { $ref?: unknown }
  if (typeof reference === 'string') {
    if (followed.includes(reference) || followed.length >= MAX_REFERENCES) return {}
    return schemaOf(document, pointedTo(document, reference), { levels, characters }, [...followed, reference])
  }
  if (levels === 0) return {}
  const below = (schema: unknown) => schemaOf(document, schema, { levels: levels - 1, characters }, followed)
  const schema: Record<string, unknown> = {}
  for (const [key, keyword] of Object.entries(value as Record<string, unknown>)) {
    if (PLAIN.includes(key)) schema[key] = keyword
    else if (key === 'description' && typeof keyword === 'string' && characters > 0) schema[key] = keyword.slice(0, characters)
    else if (LISTS.includes(key) && Array.isArray(keyword)) schema[key] = keyword.map(below)
    else if (NESTED.includes(key)) schema[key] = typeof keyword === 'boolean' ? keyword : below(keyword)
    else if (key === 'properties') schema[key] = propertiesOf(keyword, below)
  }
  return modern(schema, value as Record<string, unknown>)
}

/** Properties of a request; those that only replies have are left out. */
function propertiesOf(value: unknown, below: (schema: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries((value ?? {}) as Record<string, { readOnly?: unknown } | null>)
  return Object.fromEntries(entries.filter(([, schema]) => schema?.readOnly !== true).map(([name, schema]) => [name, below(schema)]))
}

/** `nullable` and boolean bounds are those of OpenAPI 3.0. */
function modern(schema: Record<string, unknown>, { nullable, properties }: Record<string, unknown>): Record<string, unknown> {
  const { type, enum: values, required } = schema
  if (nullable === true && typeof type === 'string') schema['type'] = [type, 'null']
  if (nullable === true && Array.isArray(values) && !values.includes(null)) schema['enum'] = [...(values as unknown[]), null]
  for (const [exclusive, bound] of [['exclusiveMinimum', 'minimum'] as const, ['exclusiveMaximum', 'maximum'] as const]) {
    if (typeof schema[exclusive] !== 'boolean') continue
    if (schema[exclusive]) schema[exclusive] = schema[bound]
    else delete schema[exclusive]
  }
  if (Array.isArray(required) && typeof properties === 'object')
    schema['required'] = required.filter((name) => !isReadOnly((properties as Record<string, unknown> | null)?.[String(name)]))
  return schema
}

function isReadOnly(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'readOnly' in schema && schema.readOnly === true
}

/** Follows references; returns an empty object if they lead nowhere. */
export function resolvedReference(document: unknown, value: unknown): unknown {
  let current = value
  for (let steps = 0; steps < MAX_REFERENCES; steps += 1) {
    if (typeof current !== 'object' || current === null || !('$ref' in current) || typeof current.$ref !== 'string') return current ?? {}
    current = pointedTo(document, current.$ref)
  }
  return {}
}

/** The place of a local reference; an empty object for any other. */
function pointedTo(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return {}
  let value = document
  for (const step of reference.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return {}
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
