import type { JSONSchema7 } from '@ai-sdk/provider'
import { jsonSchema, type Schema } from 'ai'
import { z } from 'zod'

/** Creates a schema that validates inputs, so that no tool runs with unexpected input; `null` if the JSON Schema is unreadable. */
export function checkedSchema(schema: JSONSchema7): Schema | null {
  try {
    const form = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
    return jsonSchema(schema, {
      validate(value) {
        const result = form.safeParse(value)
        return result.success ? { success: true, value: result.data } : { success: false, error: result.error }
      },
    })
  } catch {
    return null
  }
}
