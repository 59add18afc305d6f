import { McpServer } from './mcp-server.ts'
import { readMcpFile } from './mcp-settings.ts'
import type { Variable } from '../named-entries.ts'
import { chosenTools } from '../foreign-tools.ts'
import { ToolPins } from './tool-pins.ts'

interface McpServersOptions {
  /** Path of `mcp.json`. */
  path: string
  variable: Variable
  /** File that keeps the tools' definitions as first listed. */
  pins: string
  onWarning: (message: string, cause?: unknown) => void
}

export type McpServers = Awaited<ReturnType<typeof openMcpServers>>

/**
 * The servers of `mcp.json`, shared by all agents, which are being connected. A broken or unavailable one doesn't affect the others; `problems`
 * lists it.
 */
export async function openMcpServers({ path, variable, pins: pinsFile, onWarning }: McpServersOptions) {
  const file = await readMcpFile(path, variable)
  for (const problem of file.problems) onWarning(problem)
  const pins = await ToolPins.open(pinsFile, onWarning)
  const servers = new Map([...file.entries].map(([name, settings]) => [name, new McpServer({ name, settings, pins, onWarning })]))
  for (const server of servers.values()) server.connect()
  return {
    names: file.names,
    get problems() {
      return [...file.problems, ...[...servers.values()].flatMap((server) => server.problems)]
    },
    /** Current tools of servers: `server` for all, or `server/tool`. */
    toolsOf: (chosen: readonly string[]) => chosenTools(chosen, (server) => servers.get(server)?.tools),
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
      await pins.close()
    },
  }
}
