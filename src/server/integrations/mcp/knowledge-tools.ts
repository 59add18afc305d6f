import { z } from 'zod'
import { stopConcerning, stoppedFiles } from '../../replies/stopped-topics.ts'
import { readStops } from '../../store/staff/stops.ts'
import type { IntegrationOptions } from '../token-access.ts'

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
export const TOOLS = [
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
export async function callTool(
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
