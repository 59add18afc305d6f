import type { ToolSet } from 'ai'
import { MCP_LIMITS, type McpLimits } from './mcp-limits.ts'
import { McpServer } from './mcp-server.ts'
import { type McpFile, readMcpFile } from './mcp-settings.ts'
import { foreignToolName } from '../foreign-tool-name.ts'

export interface McpServersOptions {
  /** Where `mcp.json` is. */
  path: string
  /** A variable of the environment. */
  variable: (name: string) => string | undefined
  limits?: Partial<McpLimits>
  onWarning: (message: string, cause?: unknown) => void
}

/** The servers of `mcp.json`, for all agents. One that is broken or away stops no other: it is in `problems`. */
export class McpServers {
  readonly #servers: ReadonlyMap<string, McpServer>
  readonly #file: McpFile

  private constructor(servers: ReadonlyMap<string, McpServer>, file: McpFile) {
    this.#servers = servers
    this.#file = file
  }

  /** Reads the file, and begins to connect to its servers. */
  static async open({ path, variable, limits, onWarning }: McpServersOptions): Promise<McpServers> {
    const file = await readMcpFile(path, variable)
    for (const problem of file.problems) onWarning(problem)
    const all = { ...MCP_LIMITS, ...limits }
    const servers = [...file.servers].map(([name, settings]) => [name, new McpServer({ name, settings, limits: all, onWarning })] as const)
    for (const [, server] of servers) server.connect()
    return new McpServers(new Map(servers), file)
  }

  /** Of all that the file has, the wrong ones too; null when it cannot be read. */
  get names(): readonly string[] | null {
    return this.#file.names
  }

  /** What is wrong now, in words for the operator. */
  get problems(): string[] {
    return [...this.#file.problems, ...[...this.#servers.values()].flatMap((server) => server.problems)]
  }

  /** The tools of these servers as they are now: all of `server`, or one as `server/tool`. */
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
  }
}
