import { z } from 'zod'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { admitPrograms, type IntegrationOptions, programOf } from '../token-access.ts'
import { stopConcerning, stoppedFiles } from '../../replies/stopped-topics.ts'
import { readStops } from '../../store/staff/stops.ts'

const MAX_QUERY_CHARACTERS = 2_000
const MAX_RESULTS = 20
const TEXT = { type: 'string' }
const DOCUMENT = { type: 'object', properties: { id: TEXT, title: TEXT, url: TEXT, text: TEXT }, required: ['id', 'title', 'url', 'text'] }
const READS = { readOnlyHint: true, openWorldHint: false }

/** The two tools that deep research of chat programs expects, with its names of fields. */
const INPUTS = {
  search: z.object({ query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS) }),
  fetch: z.object({ id: z.string().min(1).max(100) }),
}
const TOOLS = [
  {
    name: 'search',
    title: 'Search the documents',
    description:
      'Finds the passages of the published documents that are nearest to a question or to key words, best first. They may not answer it.',
    inputSchema: { type: 'object', properties: { query: TEXT }, required: ['query'] },
    outputSchema: { type: 'object', properties: { results: { type: 'array', items: DOCUMENT } }, required: ['results'] },
    annotations: READS,
  },
  {
    name: 'fetch',
    title: 'Read a document',
    description: 'Returns the text of the document around a passage that `search` has found.',
    inputSchema: { type: 'object', properties: { id: { ...TEXT, description: 'The `id` of a result of `search`.' } }, required: ['id'] },
    outputSchema: DOCUMENT,
    annotations: READS,
  },
]

/** The result of a call, for a token bound to these agents; `undefined` for an unknown tool. */
async function callTool(
  options: IntegrationOptions,
  bound: readonly string[],
  { name, input }: { name: string | undefined; input: unknown },
): Promise<object | undefined> {
  if (name !== 'search' && name !== 'fetch') return undefined
  const parsed = INPUTS[name].safeParse(input)
  if (!parsed.success) return failed('Give a query, or the id of a result.')
  const { data } = parsed
  const found = 'query' in data ? { results: await search(options, bound, data.query) } : await read(options, bound, data.id)
  return found
    ? { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found }
    : failed('There is no document of this id.')
}

function failed(text: string): object {
  return { content: [{ type: 'text', text }], isError: true }
}

/** Passages of the agents' knowledge, each agent's best first. */
async function search(options: IntegrationOptions, bound: readonly string[], query: string) {
  const { agents, files } = await readable(options, bound, query)
  const request = { prompt: query, earlierPrompt: null, excludedFiles: files }
  const lists = await Promise.all(agents.map((agent) => agent.findPassages(request)))
  const ranked = lists.flatMap((list) => list.map((passage, rank) => ({ passage, rank }))).toSorted((one, other) => one.rank - other.rank)
  const distinct = new Map(ranked.map(({ passage }) => [passage.id, passage]))
  return [...distinct.values()]
    .slice(0, MAX_RESULTS)
    .map((passage) => ({ id: passage.id, title: passage.breadcrumb, url: passage.address ?? '', text: passage.text }))
}

async function read(options: IntegrationOptions, bound: readonly string[], id: string) {
  const { agents, files } = await readable(options, bound, '')
  for (const agent of agents) {
    const document = await agent.readDocument(id, files)
    if (!document) continue
    const { title, address, text, asOf } = document
    return { id, title, url: address ?? '', text, ...(asOf !== null && { metadata: { as_of: asOf } }) }
  }
  return undefined
}

/** The agents whose knowledge may be read now, and the files that staff have stopped. */
async function readable({ agents, database }: IntegrationOptions, bound: readonly string[], prompt: string) {
  const { stops } = await readStops(database)
  const open = await Promise.all(
    agents.all.map(async (agent) =>
      bound.includes(agent.id) && !(await stopConcerning(stops, { agent: agent.id, prompt })) ? [agent] : [],
    ),
  )
  return { agents: open.flat(), files: stoppedFiles(stops) }
}

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
