import type { JSONSchema7 } from '@ai-sdk/provider'
import { jsonSchema, type Schema } from 'ai'
import { z } from 'zod'

/** A JSON Schema that inputs are checked against here, so that no tool is run with what it did not ask for; null when it cannot be read. */
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
