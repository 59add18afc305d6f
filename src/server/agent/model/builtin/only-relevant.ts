import type { SearchKnowledgeResult } from '../../../knowledge/retrieval/search.ts'

/** The built-in assistant repeats a passage without understanding it: below this relevance it is no answer. */
export const MIN_RELEVANCE = 0.57

/** Keeps the passages that can stand as an answer, or, where there are none, the topics to offer instead. */
export function onlyRelevant(result: SearchKnowledgeResult): SearchKnowledgeResult {
  const passages = result.passages.filter(({ relevance }) => relevance >= MIN_RELEVANCE)
  return { ...result, passages, topics: passages.length > 0 ? [] : result.topics }
}
