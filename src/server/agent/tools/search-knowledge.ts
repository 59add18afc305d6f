import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { type KnowledgeIndex, MIN_RELEVANCE, type RankedPassage } from '../knowledge/knowledge-index.ts'

/** A passage as models and the page see it; `relevance` is from 0 to 1. */
export type FoundPassage = Omit<RankedPassage, 'keywords'>

/** `topics` are what can be asked instead; present when nothing was found. */
export interface SearchKnowledgeResult {
  passages: FoundPassage[]
  topics: string[]
}

const MAX_PASSAGES = 4
const MAX_TOPICS = 6
const MAX_QUERY_CHARACTERS = 500

/** The operator's knowledge files, ranked. Passages come whole, with their source. */
export function searchKnowledgeTool(index: KnowledgeIndex) {
  return tool({
    description:
      'Searches the files about this assistant and this site: how to use it, privacy, and whatever the operator added. Returns whole passages with their source.',
    inputSchema: zodSchema(z.object({ query: z.string().min(1).max(MAX_QUERY_CHARACTERS).describe('Key words or the question itself') })),
    execute: ({ query }): SearchKnowledgeResult => searchKnowledge(index, query),
  })
}

export function searchKnowledge(index: KnowledgeIndex, query: string): SearchKnowledgeResult {
  const ranked = index.rank(query, MAX_PASSAGES).filter((passage) => passage.relevance >= MIN_RELEVANCE)
  const passages = ranked.map(({ title, file, heading, text, relevance }) => ({
    title,
    file,
    heading,
    text,
    relevance: Number(relevance.toFixed(2)),
  }))
  return { passages, topics: passages.length > 0 ? [] : index.topics(query, MAX_TOPICS) }
}
