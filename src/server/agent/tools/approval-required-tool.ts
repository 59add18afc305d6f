import type { Tool } from 'ai'

/** A mark of our own: the SDK's is deprecated, and its loop is not ours. */
interface Asking {
  asksFirst?: true
}

/** The tool, to be run only when the visitor has allowed that very call. */
export function askingTool<T extends Tool>(tool: T): T {
  return { ...tool, asksFirst: true }
}

export function asksFirst(tool: Tool): boolean {
  return (tool as Asking).asksFirst === true
}

/** What `approval` says in `mcp.json` and `http-tools.json`: all tools of the entry, those that are named, or none. */
export function isNamed(approval: boolean | readonly string[], tool: string): boolean {
  return Array.isArray(approval) ? approval.includes(tool) : approval === true
}
