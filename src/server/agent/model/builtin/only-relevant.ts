import type { SearchKnowledgeResult } from '../../../knowledge/retrieval/search.ts'

/** The built-in assistant repeats a passage without understanding it: below this relevance it is no answer. */
export const MIN_RELEVANCE = 0.57
/** From here on a passage is near enough to ask whether it is meant. */
const MIN_NEAR_RELEVANCE = 0.34
const MAX_NEAR = 3

/** Keeps the passages that can stand as an answer; where there are none, `topics` are the headings nearest to the query, if any is near. */
export function onlyRelevant(result: SearchKnowledgeResult): SearchKnowledgeResult {
  const passages = result.passages.filter(({ relevance }) => relevance >= MIN_RELEVANCE)
  const near = result.passages.filter(({ relevance }) => relevance >= MIN_NEAR_RELEVANCE).map(({ heading }) => heading)
  return { ...result, passages, topics: passages.length > 0 ? [] : [...new Set(near)].slice(0, MAX_NEAR) }
}
