import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'

export type SearchKnowledge = (query: string) => Promise<SearchKnowledgeResult>

const MAX_QUERY_CHARACTERS = 500

/** The operator's knowledge files, ranked. Passages come whole, with their source. */
export function searchKnowledgeTool(search: SearchKnowledge) {
  return tool({
    description:
      'Searches the files about this assistant and this site: how to use it, privacy, and whatever the operator added. Returns whole passages with their source and a number: cite what you used as [number].',
    inputSchema: zodSchema(z.object({ query: z.string().min(1).max(MAX_QUERY_CHARACTERS).describe('Key words or the question itself') })),
    execute: ({ query }) => search(query),
  })
}
