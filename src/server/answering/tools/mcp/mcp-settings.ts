import { z } from 'zod'
import { type NamedEntries, readNamedEntries, type Variable } from '../named-entries.ts'

const texts = z.record(z.string().max(200), z.string().max(10_000))
/** Whether visitors share a connection. Otherwise each chat has its own, so that a server's state never crosses chats. */
const shared = z.boolean().default(false)
/** Which tools need approval: all, the named ones, or none. */
const approval = z.union([z.boolean(), z.array(z.string().min(1).max(200)).max(200)]).default(false)
const Stdio = z
  .strictObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1).max(1000),
    args: z.array(z.string().max(10_000)).max(100).default([]),
    env: texts.default({}),
    cwd: z.string().max(1000).optional(),
    shared,
    approval,
  })
  .transform((settings) => ({ ...settings, kind: 'stdio' as const }))
const Http = z
  .strictObject({
    type: z.enum(['http', 'streamable-http', 'sse']).optional(),
    url: z.url({ protocol: /^https?$/ }),
    headers: texts.default({}),
    shared,
    approval,
  })
  // `sse`: only the transport of before 2025; otherwise the newer one is tried first.
  .transform((settings) => ({ ...settings, kind: settings.type === 'sse' ? ('sse' as const) : ('http' as const) }))

export type McpServerSettings = z.infer<typeof Stdio> | z.infer<typeof Http>

/** Reads `mcp.json`: `{"mcpServers": {name: {command, args, env, cwd} | {url, headers}}}`, extended by `shared` and `approval`. */
export function readMcpFile(path: string, variable: Variable): Promise<NamedEntries<McpServerSettings>> {
  return readNamedEntries<McpServerSettings, McpServerSettings>(path, variable, {
    key: 'mcpServers',
    schemaOf: (entry) => (typeof entry === 'object' && entry !== null && 'url' in entry ? Http : Stdio),
    read: (settings) => settings,
  })
}
