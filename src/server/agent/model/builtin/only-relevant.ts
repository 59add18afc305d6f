import type { SearchKnowledgeResult } from '../../../knowledge/retrieval/search.ts'
import { contentWordsOf } from './search-query.ts'

/**
 * The built-in assistant repeats a passage without understanding it: below this relevance it is no answer. One or two words say little of
 * what is meant, so they have to be what the passage is about: in its heading or keywords.
 */
const MIN_RELEVANCE = { short: 0.74, long: 0.6 }
const SHORT_WORDS = 2
/** From here on a passage is near enough to ask whether it is meant. */
const MIN_NEAR_RELEVANCE = 0.36
const MAX_NEAR = 3

/** Keeps the passages that can stand as an answer; where there are none, `topics` are the headings nearest to the query, if any is near. */
export function onlyRelevant(result: SearchKnowledgeResult, query: string): SearchKnowledgeResult {
  const minimum = contentWordsOf(query).length > SHORT_WORDS ? MIN_RELEVANCE.long : MIN_RELEVANCE.short
  const passages = result.passages.filter(({ relevance }) => relevance >= minimum)
  const near = result.passages.filter(({ relevance }) => relevance >= MIN_NEAR_RELEVANCE).map(({ heading }) => heading)
  return { ...result, passages, topics: passages.length > 0 ? [] : [...new Set(near)].slice(0, MAX_NEAR) }
}
