import type { Tool } from 'ai'

/** A mark of our own: the SDK's is deprecated, and its loop is not ours. */
interface WithApproval {
  requiresApproval?: true
}

/** The tool, to be run only when the visitor has allowed that very call. */
export function approvalRequiredTool<T extends Tool>(tool: T): T {
  return { ...tool, requiresApproval: true }
}

export function requiresApproval(tool: Tool): boolean {
  return (tool as WithApproval).requiresApproval === true
}

/** What `approval` says in `mcp.json` and `http-tools.json`: all tools of the entry, those that are named, or none. */
export function isNamed(approval: boolean | readonly string[], tool: string): boolean {
  return Array.isArray(approval) ? approval.includes(tool) : approval === true
}
