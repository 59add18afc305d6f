export interface McpLimits {
  /** Time limit for starting or connecting to a server and initializing the session. */
  connectTimeoutMs: number
  /** Delay before reconnecting; doubles with each attempt up to the maximum. */
  reconnectDelayMs: number
  longestReconnectDelayMs: number
  /** Most connections of chats to one server, local process or remote; further calls wait. */
  maxProcesses: number
  maxConnections: number
  /** Idle time after which a chat's connection is closed. */
  idleMs: number
  /** Most tools of one server; the rest is left out. */
  maxTools: number
  maxDescriptionCharacters: number
  maxSchemaCharacters: number
}

export const MCP_LIMITS: Readonly<McpLimits> = {
  connectTimeoutMs: 15_000,
  reconnectDelayMs: 1_000,
  longestReconnectDelayMs: 60_000,
  maxProcesses: 8,
  maxConnections: 250,
  idleMs: 60_000,
  maxTools: 64,
  maxDescriptionCharacters: 2_000,
  maxSchemaCharacters: 16_000,
}
