import { constant } from '../../../constant.ts'

/** Bounds on MCP servers. */
export const MCP_LIMITS = {
  /** Time limit for starting or connecting to a server and initializing the session. */
  connectTimeoutMs: constant('mcpConnectTimeoutMs', 15_000),
  /** Delay before reconnecting; doubles with each attempt up to the maximum. */
  reconnectDelayMs: 1_000,
  longestReconnectDelayMs: 60_000,
  /** Most connections of chats to one server, local process or remote; further calls wait. */
  maxProcesses: 8,
  maxConnections: 250,
  /** Idle time after which a chat's connection is closed. */
  idleMs: 60_000,
  /** Most tools of one server; the rest is left out. */
  maxTools: 64,
  maxDescriptionCharacters: 2_000,
  maxSchemaCharacters: 16_000,
}
