import type { JSONSchema7, JSONSchema7Definition, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { FunctionForm } from './process-messages.ts'

/** Deeper schemas accept any value; schemas come from other servers too. */
const MAX_DEPTH = 8
const BASIC_TYPES = ['string', 'number', 'integer', 'boolean', 'null'] as const
const ANYTHING = { type: [...BASIC_TYPES] }
const NOTHING = { type: 'null' }

type Form = Record<string, unknown>
type Tools = LanguageModelV4CallOptions['tools']

/**
 * Converts tools for the library, which constrains a model by a grammar of each schema. The grammar supports a subset of JSON Schema
 * without optional properties; these become nullable, which `withoutNulls` reverts. Other mistakes are rejected where tools run.
 */
export function functionForms(tools: Tools): Record<string, FunctionForm> {
  const forms = (tools ?? []).flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, description, inputSchema } = tool
    const form: FunctionForm = { ...(description !== undefined && { description }), params: { ...objectForm(inputSchema, inputSchema, 0) } }
    return [[name, form] as const]
  })
  return Object.fromEntries(forms)
}

/** Removes the properties that the model left empty. */
export function withoutNulls(params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return {}
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
}

function formOf(schema: JSONSchema7Definition | undefined, root: JSONSchema7, depth: number): Form {
  if (typeof schema !== 'object' || depth > MAX_DEPTH) return ANYTHING
  const form = bareForm(resolved(schema, root), root, depth)
  return schema.description === undefined ? form : { ...form, description: schema.description }
}

function bareForm(schema: JSONSchema7, root: JSONSchema7, depth: number): Form {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return { oneOf: choices.map((choice: JSONSchema7Definition) => formOf(choice, root, depth + 1)) }
  if (schema.const !== undefined) return { const: schema.const }
  if (schema.enum) return { enum: schema.enum }
  if (schema.type === 'object') return objectForm(schema, root, depth)
  if (schema.type === 'array') {
    const items = Array.isArray(schema.items) ? schema.items[0] : schema.items
    return { type: 'array', items: formOf(items, root, depth + 1), ...bounds(schema, ['minItems', 'maxItems']) }
  }
  if (schema.type === 'string') return { type: 'string', ...bounds(schema, ['minLength']) }
  const types = [schema.type].flat().filter((type) => (BASIC_TYPES as readonly unknown[]).includes(type))
  return types.length > 0 ? { type: types.length === 1 ? types[0] : types } : ANYTHING
}

function objectForm(schema: JSONSchema7, root: JSONSchema7, depth: number): Form {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const form = formOf(property, root, depth + 1)
    return [name, schema.required?.includes(name) ? form : { oneOf: [form, NOTHING] }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) as Form }
}

/** Resolves a reference within the document by one step; its target has its own depth. */
function resolved(schema: JSONSchema7, root: JSONSchema7): JSONSchema7 {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(schema.$ref ?? '')?.[1]
  if (name === undefined) return schema
  const definitions = { ...root.definitions, ...(root as { $defs?: JSONSchema7['definitions'] }).$defs }
  const found = definitions[name]
  return typeof found === 'object' ? found : {}
}

function bounds(schema: JSONSchema7, names: readonly (keyof JSONSchema7)[]): Form {
  return Object.fromEntries(names.filter((name) => typeof schema[name] === 'number').map((name) => [name, schema[name]]))
}
