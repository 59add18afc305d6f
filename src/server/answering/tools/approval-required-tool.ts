import type { Tool } from 'ai'

/** The server's own property: the SDK's is deprecated, and the server runs its own loop. */
interface WithApproval {
  requiresApproval?: true
}

/** Marks a tool whose every call needs the visitor's approval. */
export function approvalRequiredTool<T extends Tool>(tool: T): T {
  return { ...tool, requiresApproval: true }
}

export function requiresApproval(tool: Tool): boolean {
  return (tool as WithApproval).requiresApproval === true
}

/** The `approval` of `mcp.json` and `http-tools.json`: all tools of the entry, the named ones, or none. */
export function isNamed(approval: boolean | readonly string[], tool: string): boolean {
  return Array.isArray(approval) ? approval.includes(tool) : approval === true
}
