import type { ToolSet } from 'ai'
import { MCP_LIMITS, type McpLimits } from './mcp-limits.ts'
import { McpServer } from './mcp-server.ts'
import { type McpFile, readMcpFile } from './mcp-settings.ts'
import { foreignToolName } from '../foreign-tool-name.ts'
import { ToolPins } from './tool-pins.ts'

export interface McpServersOptions {
  /** Folder of `mcp.json`. */
  path: string
  /** Reads an environment variable. */
  variable: (name: string) => string | undefined
  /** File that keeps the tools' definitions as first listed. */
  pins: string
  limits?: Partial<McpLimits>
  onWarning: (message: string, cause?: unknown) => void
}

/** The servers of `mcp.json`, shared by all agents. A broken or unavailable one doesn't affect the others; `problems` lists it. */
export class McpServers {
  readonly #servers: ReadonlyMap<string, McpServer>
  readonly #file: McpFile
  readonly #pins: ToolPins

  private constructor(servers: ReadonlyMap<string, McpServer>, file: McpFile, pins: ToolPins) {
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
    const servers = [...file.servers].map(
      ([name, settings]) => [name, new McpServer({ name, settings, limits: all, pins, onWarning })] as const,
    )
    for (const [, server] of servers) server.connect()
    return new McpServers(new Map(servers), file, pins)
  }

  /** Names of all servers in the file, invalid ones included; `null` if the file is unreadable. */
  get names(): readonly string[] | null {
    return this.#file.names
  }

  /** Current problems, for the operator. */
  get problems(): string[] {
    return [...this.#file.problems, ...[...this.#servers.values()].flatMap((server) => server.problems)]
  }

  /** Current tools of servers: `server` for all, or `server/tool`. */
  toolsOf(chosen: readonly string[]): ToolSet {
    const tools: ToolSet = {}
    for (const choice of chosen) {
      const [server = '', ...tool] = choice.split('/')
      const all = this.#servers.get(server)?.tools ?? {}
      const name = foreignToolName(server, tool.join('/'))
      if (tool.length === 0) Object.assign(tools, all)
      else if (all[name]) tools[name] = all[name]
    }
    return tools
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()))
    await this.#pins.close()
  }
}
