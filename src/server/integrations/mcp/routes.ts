import { z } from 'zod'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { admitPrograms, type IntegrationOptions, programOf } from '../token-access.ts'
import { callTool, TOOLS } from './knowledge-tools.ts'

/** Versions of the protocol whose initialization, tools and results are those of this server, newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

const Request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z
    .looseObject({ protocolVersion: z.string().optional(), name: z.string().optional(), arguments: z.unknown().optional() })
    .default({}),
})
type Request = z.output<typeof Request>

const INVALID_REQUEST = -32_600
const UNKNOWN_METHOD = -32_601
const INVALID_PARAMS = -32_602

/** MCP server of the knowledge: streamable HTTP without sessions, for tokens of the scope `read:knowledge`. One JSON object a reply. */
export function mcpRoutes(app: Server, options: IntegrationOptions): void {
  app.post('/mcp', { onRequest: admitPrograms('read:knowledge', options), schema: { hide: true } }, async (request, reply) => {
    const version = request.headers['mcp-protocol-version']
    const parsed = Request.safeParse(request.body)
    if (!parsed.success || (version !== undefined && !VERSIONS.includes(String(version))))
      return reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message: 'Invalid request' } })
    const { id, method } = parsed.data
    // A notification, which nothing here depends on.
    if (id === undefined) return reply.code(202).send()
    if (method === 'tools/call') {
      const limited = await options.limits.count(programOf(request), 'lookup')
      if (limited) return reject(reply, limited)
    }
    return { jsonrpc: '2.0', id, ...(await resultOf(options, programOf(request).agents, parsed.data)) }
  })
}

async function resultOf(
  options: IntegrationOptions,
  bound: readonly string[],
  { method, params }: Request,
): Promise<{ result: object } | { error: { code: number; message: string } }> {
  const { name, release } = options
  switch (method) {
    case 'initialize': {
      const protocolVersion = VERSIONS.find((version) => version === params.protocolVersion) ?? VERSIONS[0]
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'parley', title: name, version: release } } }
    }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: TOOLS } }
    case 'tools/call': {
      const result = await callTool(options, bound, { name: params.name, input: params.arguments })
      return result ? { result } : { error: { code: INVALID_PARAMS, message: 'Unknown tool' } }
    }
    default:
      return { error: { code: UNKNOWN_METHOD, message: 'Method not found' } }
  }
}
