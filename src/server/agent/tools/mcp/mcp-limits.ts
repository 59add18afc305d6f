/** Every bound on MCP servers. */
export interface McpLimits {
  /** Starting a server or reaching it, with its first words, in milliseconds. */
  connectTimeoutMs: number
  /** Pause before a lost server is connected again; it doubles with each try, up to the longest. */
  reconnectDelayMs: number
  longestReconnectDelayMs: number
  /** Connections of chats to one server that is a process here, or elsewhere; who needs another waits for one to be free. */
  maxProcesses: number
  maxConnections: number
  /** A chat's connection without a call is closed after this time, in milliseconds. */
  idleMs: number
  /** Tools of one server; the rest is left out. */
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
