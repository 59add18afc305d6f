import type { FoundPassage, SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import { contentWordsOf, measureWordsOf } from './search-query.ts'

/** Minimum relevance of a passage that is quoted as an answer. */
const MIN_RELEVANCE = { short: 0.74, long: 0.6 }
const SHORT_WORDS = 2
/** With this many words, one that no document has may be a name or a typo. */
const MIN_WORDS_BESIDE_UNKNOWN = 3
/** With this many words, a passage may lack one. */
const WORDS_FOR_ONE_MISSING = 4
/** Minimum relevance for suggesting a passage's heading. */
const MIN_NEAR_RELEVANCE = 0.36
const MAX_NEAR = 3
/** Passages above this share of the best score count as ties. */
const TIE = 0.9

/** Why the built-in assistant doesn't quote a passage. */
export type UnquotedReason = 'low_relevance' | 'other_words' | 'ambiguous'

/** The minimum relevance of an answer to a query, and for each passage why it is not quoted; `null` for one that can stand as the answer. */
export function judgePassages(
  passages: readonly FoundPassage[],
  query: string,
): { minRelevance: number; reasons: (UnquotedReason | null)[] } {
  const named = contentWordsOf(query)
  // "How long" says more precisely what a single other word is about.
  const words = new Set(named.length === 1 ? [...named, ...measureWordsOf(query)] : named)
  const minRelevance = words.size > SHORT_WORDS ? MIN_RELEVANCE.long : MIN_RELEVANCE.short
  const relevant = passages.filter(({ relevance }) => relevance >= minRelevance)
  const reasons = passages.map((passage) => {
    if (passage.relevance < minRelevance) return 'low_relevance'
    if (!covers(passage, words)) return 'other_words'
    return isOneOfMany(passage, relevant, words) ? 'ambiguous' : null
  })
  return { minRelevance, reasons }
}

/** Keeps the passages that can stand as an answer, best first, with those related to it; where there is no answer, `topics` are the headings nearest to the query, if any is near. */
export function onlyRelevant(result: SearchKnowledgeResult, query: string): SearchKnowledgeResult {
  const { reasons } = judgePassages(result.passages, query)
  const answers = result.passages.filter((_, index) => reasons[index] === null)
  const relevant = result.passages.filter((_, index) => reasons[index] !== 'low_relevance')
  // The others are related questions, offered after an answer.
  const passages = answers.length > 0 ? [...new Set([...answers, ...relevant])] : []
  const near = result.passages.filter(({ relevance }) => relevance >= MIN_NEAR_RELEVANCE).map(({ heading }) => heading)
  return {
    ...result,
    passages: passages.map(withoutMatches),
    topics: passages.length > 0 ? [] : [...new Set(near)].slice(0, MAX_NEAR),
  }
}

function withoutMatches(passage: FoundPassage): FoundPassage {
  const { matches: _, ...shown } = passage
  return shown
}

/**
 * Whether a passage covers the words that name something. One or two say little of what is meant, so the passage has to be about all of
 * them: in its heading or keywords. Among more, a word that no document has ("facebook", "passport") tells that something else is meant.
 */
function covers({ matches = [] }: FoundPassage, words: ReadonlySet<string>): boolean {
  const named = matches.filter(({ word }) => words.has(word))
  const isAbout = named.filter(({ place }) => place === 'heading' || place === 'keywords')
  if (words.size <= SHORT_WORDS) return isAbout.length === named.length
  const missing = named.filter(({ place }) => place === null)
  if (missing.length > Math.floor(named.length / WORDS_FOR_ONE_MISSING)) return false
  const unknown = named.filter(({ passages }) => passages === 0)
  return unknown.length === 0 || (unknown.length === 1 && isAbout.length >= MIN_WORDS_BESIDE_UNKNOWN && isAbout.length === named.length - 1)
}

/** Whether a single word stands for no passage more than for others: it is in several headings, or among the keywords of several passages alone. */
function isOneOfMany(passage: FoundPassage, relevant: readonly FoundPassage[], words: ReadonlySet<string>): boolean {
  const searched = (passage.matches ?? []).filter(({ word }) => words.has(word))
  if (searched.length !== 1 || measureWordsOf([...words].join(' ')).length > 0) return false
  const matchOf = ({ matches = [] }: FoundPassage) => matches.find(({ word }) => word === searched[0]?.word)
  const own = matchOf(passage)
  if (own?.place !== 'heading') return own !== undefined && own.passages > 1
  return relevant.some((other) => other !== passage && other.score >= passage.score * TIE && matchOf(other)?.place === 'heading')
}
