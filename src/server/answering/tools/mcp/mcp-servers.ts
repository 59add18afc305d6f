import { readMcpFile, type McpServerSettings } from './mcp-settings.ts'
import type { Variable } from '../named-entries.ts'
import { chosenTools, approvalRequiredTool, foreignToolName, isNamed, checkedSchema } from '../foreign-tools.ts'
import { ToolPins } from './tool-pins.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { type Tool, dynamicTool } from 'ai'
import { ConnectionPool } from './connection-pool.ts'
import { connectMcp, type McpConnection, type McpTool } from './mcp-connection.ts'
import { MCP_LIMITS } from './mcp-limits.ts'
import type { CallToolResult } from '@ai-sdk/mcp'
import type { JSONSchema7 } from '@ai-sdk/provider'
import { ToolFailure } from '../guard-tool.ts'
import { knownImages, OutputWithImages, type ToolImage } from '../tool-images.ts'
import { untrustedContent } from '../untrusted-content.ts'

const MAX_FAILURE_CHARACTERS = 2_000

/** Calls a server's tool for a chat. */
type CallMcpTool = (chat: string, name: string, input: Record<string, unknown>, signal: AbortSignal | undefined) => Promise<CallToolResult>

/** Converts a server's tool, or returns why it can't be used. Marks its results as untrusted. */
export function mcpTool(server: string, tool: McpTool, call: CallMcpTool): Tool | string {
  const schema = tool.inputSchema as JSONSchema7
  if (JSON.stringify(schema).length > MCP_LIMITS.maxSchemaCharacters) return 'its input schema is too long'
  const inputSchema = checkedSchema(schema)
  if (inputSchema === null) return 'its input schema is invalid'
  return dynamicTool({
    description: (tool.description ?? tool.name).slice(0, MCP_LIMITS.maxDescriptionCharacters),
    inputSchema,
    async execute(input, { abortSignal, context }) {
      const { chat } = context as { chat: string }
      const result = await call(chat, tool.name, input as Record<string, unknown>, abortSignal)
      const content = contentOf(result)
      const images = imagesOf(result)
      const output = untrustedContent(`the tool ${tool.name} of ${server}`, content)
      if (!result.isError) return images.length > 0 ? new OutputWithImages(output, images) : output
      throw new ToolFailure(`The tool failed: ${JSON.stringify(content).slice(0, MAX_FAILURE_CHARACTERS)}`)
    },
  })
}

/** Converts a result for a model: values and texts unchanged, anything else described. */
function contentOf(result: CallToolResult): unknown {
  if ('structuredContent' in result && result.structuredContent !== undefined) return result.structuredContent
  if (!('content' in result) || !Array.isArray(result.content)) return null
  return result.content.map((part) => textOf(part as ContentPart)).join('\n')
}

function imagesOf(result: CallToolResult): ToolImage[] {
  if (!('content' in result) || !Array.isArray(result.content)) return []
  const parts = result.content as ContentPart[]
  return knownImages(
    parts.map(({ data, mimeType, resource }) => ({ data: data ?? resource?.blob, mediaType: mimeType ?? resource?.mimeType })),
  )
}

interface ContentPart {
  type: string
  data?: unknown
  text?: unknown
  mimeType?: unknown
  uri?: unknown
  resource?: { text?: unknown; blob?: unknown; uri?: unknown; mimeType?: unknown }
}

function textOf({ type, text, mimeType, uri, resource }: ContentPart): string {
  if (typeof text === 'string') return text
  if (typeof resource?.text === 'string') return resource.text
  const properties = [mimeType ?? resource?.mimeType, uri ?? resource?.uri].filter((word) => typeof word === 'string')
  return `[${[type, ...properties].join(' ')}, not in this text]`
}

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

interface McpServerOptions {
  name: string
  settings: McpServerSettings
  pins: ToolPins
  onWarning: (message: string, cause?: unknown) => void
}

/** Longest wait at shutdown for a connection that is opening. */
const CLOSING_MS = 1_000

/**
 * One server of `mcp.json`. A connection of its own, reconnected with backoff, lists the tools. Calls use that connection if visitors
 * share it, and otherwise one per chat.
 */
class McpServer {
  readonly #options: McpServerOptions
  readonly #pool: ConnectionPool
  readonly #closing = new AbortController()
  #connection: McpConnection | null = null
  #connecting: Promise<void> = Promise.resolve()
  /** Tools by name for models, as last listed. Tools of an unavailable server fail when called. Replaced on change. */
  tools: Readonly<Record<string, Tool>> = {}
  #toolProblems: string[] = []
  #isAway = true
  #failures = 0
  #retry: NodeJS.Timeout | undefined

  constructor(options: McpServerOptions) {
    const { settings, onWarning, name } = options
    this.#options = options
    this.#pool = new ConnectionPool({
      connect: (onLost) => connectMcp({ settings, onLost }),
      maxConnections: settings.kind === 'stdio' ? MCP_LIMITS.maxProcesses : MCP_LIMITS.maxConnections,
      idleMs: MCP_LIMITS.idleMs,
      onFault: (cause) => onWarning(`Closing a connection to the MCP server ${name} failed`, cause),
    })
  }

  get problems(): string[] {
    const { name } = this.#options
    return [...(this.#isAway ? [`mcp.json, "${name}": the server is unavailable; retrying`] : []), ...this.#toolProblems]
  }

  /** Connects and reconnects until closed. */
  connect(): void {
    this.#connecting = this.#tryConnecting().catch((cause: unknown) => this.#fail(cause))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#retry)
    // A connection that opens later closes itself.
    await Promise.race([this.#connecting, pause(CLOSING_MS, undefined, { ref: false })])
    await Promise.all([this.#pool.close(), this.#connection?.close()])
  }

  async #tryConnecting(): Promise<void> {
    const { settings } = this.#options
    if (this.#closing.signal.aborted) return
    const connection = await connectMcp({ settings, onLost: () => this.#lose() })
    try {
      this.#closing.signal.throwIfAborted()
      this.#take(await connection.listTools())
    } catch (error) {
      await connection.close()
      throw error
    }
    this.#connection = connection
    this.#isAway = false
    this.#failures = 0
    if (connection.isLost) this.#lose()
  }

  #take(listed: Awaited<ReturnType<McpConnection['listTools']>>): void {
    const { name, settings, pins } = this.#options
    const tools: Record<string, Tool> = {}
    this.#toolProblems = []
    for (const one of listed) {
      const own = foreignToolName(name, one.name)
      const tool = Object.hasOwn(tools, own) ? 'another tool has this name' : mcpTool(name, one, this.#call)
      if (typeof tool === 'string') {
        this.#toolProblems.push(`mcp.json, "${name}": the tool ${own} is left out, ${tool}`)
        continue
      }
      const isChanged = pins.isChanged(name, one)
      if (isChanged)
        this.#toolProblems.push(
          `mcp.json, "${name}": the tool ${own} has changed since it was first listed; visitors are asked before it runs`,
        )
      // A server's word that nothing is changed counts for nothing.
      const asks = isChanged || one.annotations?.destructiveHint === true || isNamed(settings.approval, one.name)
      tools[own] = asks ? approvalRequiredTool(tool) : tool
    }
    this.tools = tools
  }

  readonly #call: CallMcpTool = (chat, name, input, signal) => {
    if (!this.#options.settings.shared) return this.#pool.use(chat, signal, (connection) => connection.call(name, input, signal))
    if (!this.#connection || this.#connection.isLost) return Promise.reject(new Error('The MCP server is unavailable.'))
    return this.#connection.call(name, input, signal)
  }

  #lose(): void {
    // Still connecting; `#connecting` rejects.
    if (!this.#connection || this.#closing.signal.aborted) return
    this.#connection.close().catch(() => undefined)
    this.#connection = null
    this.#fail(new Error('The connection was lost.'))
  }

  #fail(cause: unknown): void {
    const { name, onWarning } = this.#options
    if (this.#closing.signal.aborted) return
    if (this.#failures === 0) onWarning(`Connecting to the MCP server ${name} failed; retrying`, cause)
    this.#isAway = true
    const delay = Math.min(MCP_LIMITS.reconnectDelayMs * 2 ** this.#failures, MCP_LIMITS.longestReconnectDelayMs)
    this.#failures += 1
    clearTimeout(this.#retry)
    // Half of the delay is random, so that many processes don't reconnect together.
    this.#retry = setTimeout(() => this.connect(), delay * (0.5 + Math.random() / 2)).unref()
  }
}
