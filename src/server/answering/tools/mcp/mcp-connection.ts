import { setTimeout as pause } from 'node:timers/promises'
import type { CallToolResult, ListToolsResult, MCPClient } from '@ai-sdk/mcp'
import { createEgressFetch } from '../../../egress/egress-fetch.ts'
import { EgressError } from '../../../egress/egress-error.ts'
import { createEgress } from '../../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../../egress/address-policy.ts'
import { ToolFailure } from '../guard-tool.ts'
import { fetchWatched } from './guarded-fetch.ts'
import { MCP_LIMITS } from './mcp-limits.ts'
import type { McpServerSettings } from './mcp-settings.ts'

/** Largest HTTP response, or event of a stream. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024
/** Longest part of a server's error that is passed on. */
const MAX_ERROR_CHARACTERS = 2_000
/** Time limit for closing a connection. */
const CLOSE_MS = 3_000
/** Most pages of a tool list. */
const MAX_PAGES = 10

export type McpTool = ListToolsResult['tools'][number]

/** A connection to a server: its own process, or its own HTTP session. */
export interface McpConnection {
  readonly isLost: boolean
  listTools(): Promise<McpTool[]>
  /** Rejects without a response, or with the signal's reason. */
  call(name: string, input: Record<string, unknown>, signal: AbortSignal | undefined): Promise<CallToolResult>
  close(): Promise<void>
}

export interface ConnectOptions {
  settings: McpServerSettings
  /** Called once if the connection ends without `close`. */
  onLost: () => void
}

/**
 * Starts or connects to a server and initializes the session. Offers no client capabilities: the server can't call the model or prompt
 * the visitor.
 */
export async function connectMcp({ settings, onLost }: ConnectOptions): Promise<McpConnection> {
  // Loaded only if servers are configured.
  const { createMCPClient } = await import('@ai-sdk/mcp')
  let state: 'open' | 'closing' | 'lost' = 'open'
  const lose = () => {
    if (state !== 'open') return
    state = 'lost'
    onLost()
  }
  const connect = async (of: McpServerSettings) => {
    const { transport, watch } = await transportOf(of, lose)
    const made = await createMCPClient({
      transport,
      clientName: 'parley',
      initializationOptions: { timeout: MCP_LIMITS.connectTimeoutMs },
      // Notifications are ignored; the package reports them as errors.
      onUncaughtError: () => undefined,
    })
    watch()
    return made
  }
  const client = await connectEither(settings, connect)
  return {
    get isLost() {
      return state === 'lost'
    },
    listTools: () => allTools(client),
    async call(name, input, signal) {
      try {
        return await client.callTool({ name, arguments: input, ...(signal && { options: { signal } }) })
      } catch (error) {
        // An error response shows that the server is available.
        if (signal?.aborted) throw error
        if (isAnswer(error)) throw new ToolFailure(`The tool rejected the call: ${error.message.slice(0, MAX_ERROR_CHARACTERS)}`)
        lose()
        // The message may contain the reply, and with it the conversation.
        // oxlint-disable-next-line preserve-caught-error
        throw new Error(`The MCP server did not respond (${error instanceof EgressError ? error.message : (error as Error).name}).`)
      }
    },
    async close() {
      if (state === 'open') state = 'closing'
      // Does not wait for a server that hangs.
      await Promise.race([client.close(), pause(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

/**
 * Statuses of servers without the newer transport:
 * https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#backwards-compatibility
 */
const NOT_KNOWN = [400, 404, 405]

/** Connects by streamable HTTP, or by HTTP with SSE if the server supports only that. */
async function connectEither(settings: McpServerSettings, connect: (of: McpServerSettings) => Promise<MCPClient>): Promise<MCPClient> {
  if (settings.kind !== 'http') return connect(settings)
  const older: McpServerSettings = { ...settings, kind: 'sse' }
  try {
    return await connect(settings)
  } catch (error) {
    if (!(error instanceof Error && 'statusCode' in error && NOT_KNOWN.includes(Number(error.statusCode)))) throw error
    return await connect(older).catch(() => {
      throw error
    })
  }
}

async function transportOf(settings: McpServerSettings, lose: () => void) {
  if (settings.kind === 'stdio') {
    const { StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio')
    const { command, args, env, cwd } = settings
    const transport = new StdioMCPTransport({ command, args, env, stderr: 'ignore', ...(cwd !== undefined && { cwd }) })
    // The client sets the transport's only listener.
    const watch = () => {
      const onClose = transport.onclose
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
      transport.onclose = () => {
        onClose?.()
        lose()
      }
    }
    return { transport, watch }
  }
  const { kind, url, headers } = settings
  const egress = createEgress({
    addressPolicy: OPERATOR_ALLOWED,
    limits: {
      connectTimeoutMs: MCP_LIMITS.connectTimeoutMs,
      // Streams may stay open for notifications; calls end by their own signal.
      totalTimeoutMs: Number.POSITIVE_INFINITY,
      // The event stream lasts as long as the connection; its events are bounded one by one.
      maxBytes: kind === 'sse' ? Number.POSITIVE_INFINITY : MAX_REPLY_BYTES,
      maxRedirects: 0,
    },
  })
  const fetch = createEgressFetch(egress)
  const transport =
    kind === 'sse'
      ? ({ type: 'sse', url, headers, fetch: fetchWatched(fetch, { maxLineBytes: MAX_REPLY_BYTES, onEnd: lose }) } as const)
      : ({ type: 'http', url, headers, fetch, onSessionExpired: lose } as const)
  return { transport, watch: () => undefined }
}

async function allTools(client: MCPClient): Promise<McpTool[]> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES && tools.length < MCP_LIMITS.maxTools; page += 1) {
    const list = await client.listTools({
      ...(cursor !== undefined && { params: { cursor } }),
      options: { timeout: MCP_LIMITS.connectTimeoutMs },
    })
    tools.push(...list.tools)
    cursor = list.nextCursor
    if (cursor === undefined) break
  }
  return tools.slice(0, MCP_LIMITS.maxTools)
}

/** Whether the error is the server's JSON-RPC error rather than a missing response. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
}
