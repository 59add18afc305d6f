import type { JSONSchema7 } from '@ai-sdk/provider'
import { jsonSchema, type Schema, type Tool, type ToolSet } from 'ai'
import { z } from 'zod'

const MAX_NAME_CHARACTERS = 64

/** Name of an external tool for models, in characters that every provider supports. */
export function foreignToolName(owner: string, tool: string): string {
  return `${owner}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS)
}

/** The chosen tools: `owner` for all of an owner, or `owner/tool`. */
export function chosenTools(chosen: readonly string[], toolsOf: (owner: string) => ToolSet | undefined): ToolSet {
  const tools: ToolSet = {}
  for (const choice of chosen) {
    const [owner = '', ...tool] = choice.split('/')
    const all = toolsOf(owner) ?? {}
    const name = foreignToolName(owner, tool.join('/'))
    if (tool.length === 0) Object.assign(tools, all)
    else if (all[name]) tools[name] = all[name]
  }
  return tools
}

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

/**
 * Marks a tool whose every call needs the visitor's approval, with a property of the server's own: the SDK's is deprecated, and the server
 * runs its own loop.
 */
export function approvalRequiredTool<T extends Tool>(tool: T): T {
  return { ...tool, requiresApproval: true }
}

export function requiresApproval(tool: Tool): boolean {
  return (tool as { requiresApproval?: true }).requiresApproval === true
}

/** The `approval` of `mcp.json` and `http-tools.json`: all tools of the entry, the named ones, or none. */
export function isNamed(approval: boolean | readonly string[], tool: string): boolean {
  return Array.isArray(approval) ? approval.includes(tool) : approval === true
}
