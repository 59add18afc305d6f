import { z } from 'zod'
import { readTextFile } from '../../../knowledge/files/read-regular-file.ts'
import { fillIn } from '../environment-words.ts'

/** Whether visitors share a connection. Otherwise each chat has its own, so that a server's state never crosses chats. */
type Sharing = { shared: boolean }
/** Which tools need approval: all, the named ones, or none. */
type Approval = { approval: boolean | string[] }
export type McpServerSettings = Sharing &
  Approval &
  (
    | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd: string | undefined }
    /** `sse`: only the transport of before 2025; otherwise the newer one is tried first. */
    | { kind: 'http' | 'sse'; url: string; headers: Record<string, string> }
  )

export interface McpFile {
  /** Names of all servers in the file, invalid ones included; `null` if the file is unreadable. */
  names: string[] | null
  servers: Map<string, McpServerSettings>
  /** Problems of the file, for the operator; they name keys, never values. */
  problems: string[]
}

const MAX_FILE_BYTES = 64 * 1024
const MAX_SERVERS = 20
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

const texts = z.record(z.string().max(200), z.string().max(10_000))
const shared = z.boolean().default(false)
const approval = z.union([z.boolean(), z.array(z.string().min(1).max(200)).max(200)]).default(false)
const Stdio = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1).max(1000),
  args: z.array(z.string().max(10_000)).max(100).default([]),
  env: texts.default({}),
  cwd: z.string().max(1000).optional(),
  shared,
  approval,
})
const Http = z.strictObject({
  type: z.enum(['http', 'streamable-http', 'sse']).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.default({}),
  shared,
  approval,
})
const File = z.strictObject({ mcpServers: z.record(z.string(), z.unknown()) })

/**
 * Reads `mcp.json`: `{"mcpServers": {name: {command, args, env, cwd} | {url, headers}}}`, extended by `shared` and `approval`.
 * `variable` resolves `${NAME}` in values. Servers with a mistake are left out and reported; a missing file has no servers.
 */
export async function readMcpFile(path: string, variable: (name: string) => string | undefined): Promise<McpFile> {
  const text = await readTextFile(path, MAX_FILE_BYTES).catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error)
    return {
      names: text.code === 'ENOENT' ? [] : null,
      servers: new Map(),
      problems: text.code === 'ENOENT' ? [] : ['mcp.json cannot be read'],
    }
  const file = File.safeParse(parsed(text))
  if (!file.success) return { names: null, servers: new Map(), problems: ['mcp.json must be JSON of the form {"mcpServers": {…}}'] }
  const result: McpFile = { names: Object.keys(file.data.mcpServers), servers: new Map(), problems: [] }
  for (const [name, entry] of Object.entries(file.data.mcpServers)) {
    const outcome = serverOf(name, entry, variable, result.servers.size)
    if (typeof outcome === 'string') result.problems.push(`mcp.json, ${JSON.stringify(name.slice(0, 40))}: ${outcome}`)
    else result.servers.set(name, outcome)
  }
  return result
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function serverOf(name: string, entry: unknown, variable: (name: string) => string | undefined, count: number): McpServerSettings | string {
  if (!NAME.test(name)) return 'the name must be up to 32 letters, digits, - and _'
  if (count >= MAX_SERVERS) return `more than ${MAX_SERVERS} servers; ignoring it`
  const isHttp = typeof entry === 'object' && entry !== null && 'url' in entry
  const { filled, missing } = fillIn(entry, variable)
  if (missing.length > 0) return `${missing.join(', ')} is not set`
  const server = isHttp ? Http.safeParse(filled) : Stdio.safeParse(filled)
  if (!server.success) return server.error.issues.map(({ path, code }) => `${path.join('.') || 'the entry'} is wrong (${code})`).join('; ')
  const { type, ...settings } = server.data
  return 'url' in settings ? { kind: type === 'sse' ? 'sse' : 'http', ...settings } : { kind: 'stdio', ...settings, cwd: settings.cwd }
}
