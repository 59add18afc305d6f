import type { ToolSet } from 'ai'
import { MCP_LIMITS, type McpLimits } from './mcp-limits.ts'
import { McpServer } from './mcp-server.ts'
import { type McpServerSettings, readMcpFile } from './mcp-settings.ts'
import type { NamedEntries, Variable } from '../named-entries.ts'
import { chosenTools } from '../foreign-tools.ts'
import { ToolPins } from './tool-pins.ts'

export interface McpServersOptions {
  /** Folder of `mcp.json`. */
  path: string
  variable: Variable
  /** File that keeps the tools' definitions as first listed. */
  pins: string
  limits?: Partial<McpLimits>
  onWarning: (message: string, cause?: unknown) => void
}

/** The servers of `mcp.json`, shared by all agents. A broken or unavailable one doesn't affect the others; `problems` lists it. */
export class McpServers {
  readonly #servers: ReadonlyMap<string, McpServer>
  readonly #file: NamedEntries<McpServerSettings>
  readonly #pins: ToolPins

  private constructor(servers: ReadonlyMap<string, McpServer>, file: NamedEntries<McpServerSettings>, pins: ToolPins) {
    this.#servers = servers
    this.#file = file
    this.#pins = pins
  }

  /** Reads the file and starts connecting to its servers. */
  static async open({ path, variable, pins: pinsFile, limits, onWarning }: McpServersOptions): Promise<McpServers> {
    const file = await readMcpFile(path, variable)
    for (const problem of file.problems) onWarning(problem)
    const all = { ...MCP_LIMITS, ...limits }
    const pins = await ToolPins.open(pinsFile, onWarning)
    const servers = [...file.entries].map(
      ([name, settings]) => [name, new McpServer({ name, settings, limits: all, pins, onWarning })] as const,
    )
    for (const [, server] of servers) server.connect()
    return new McpServers(new Map(servers), file, pins)
  }

  /** Names of all servers in the file, invalid ones included; `null` if the file is unreadable. */
  get names(): readonly string[] | null {
    return this.#file.names
  }

  get problems(): string[] {
    return [...this.#file.problems, ...[...this.#servers.values()].flatMap((server) => server.problems)]
  }

  /** Current tools of servers: `server` for all, or `server/tool`. */
  toolsOf(chosen: readonly string[]): ToolSet {
    return chosenTools(chosen, (server) => this.#servers.get(server)?.tools)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()))
    await this.#pins.close()
  }
}
