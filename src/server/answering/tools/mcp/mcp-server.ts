import { setTimeout as pause } from 'node:timers/promises'
import type { Tool } from 'ai'
import { ConnectionPool } from './connection-pool.ts'
import { connectMcp, type McpConnection } from './mcp-connection.ts'
import { MCP_LIMITS } from './mcp-limits.ts'
import type { McpServerSettings } from './mcp-settings.ts'
import { approvalRequiredTool, foreignToolName, isNamed } from '../foreign-tools.ts'
import { type CallMcpTool, mcpTool } from './mcp-tool.ts'
import type { ToolPins } from './tool-pins.ts'

export interface McpServerOptions {
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
export class McpServer {
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
