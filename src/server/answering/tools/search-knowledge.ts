import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import { ToolFailure } from './guard-tool.ts'
import type { ToolContext } from './tool-context.ts'

const MAX_QUERY_CHARACTERS = 500
const MAX_ID_CHARACTERS = 40

const Input = z.object({
  query: z
    .string()
    .max(MAX_QUERY_CHARACTERS)
    .optional()
    .describe('Search query: the question itself or key words, in the language of the documents'),
  after: z.string().max(MAX_ID_CHARACTERS).optional().describe('Instead of a query: the id of a passage, to read what follows it'),
  before: z.string().max(MAX_ID_CHARACTERS).optional().describe('Instead of a query: the id of a passage, to read what precedes it'),
})
export type SearchInput = z.infer<typeof Input>

/** Searches passages; `null` if there is no passage of the given id. */
export type SearchKnowledge = (input: SearchInput, context: ToolContext) => Promise<SearchKnowledgeResult | null>

/** Searches the operator's documents, and returns the passages around one. */
export function searchKnowledgeTool(search: SearchKnowledge) {
  return tool({
    description:
      'Searches the documents of this site. Returns the nearest passages with number, id, title and breadcrumb, best first; they may not ' +
      'answer the question. Search again in other words, or in the language of the documents, before you say that something is not covered.',
    inputSchema: zodSchema(Input),
    async execute(input, { context }) {
      if (!input.query && !input.after && !input.before) throw new ToolFailure('Give a query, or the id of a passage.')
      const result = await search(input, context as unknown as ToolContext)
      if (!result) throw new ToolFailure('There is no passage with this id.')
      return result
    },
  })
}
