import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import type { Passage } from '../ingestion/passages.ts'
import { fold } from '../../../text/fold.ts'
import { tokensOf } from '../index/analyzer.ts'
import { proximityOf } from './proximity.ts'
import { type QueryWord, queryWordsOf } from './query.ts'
import { relevanceOf } from './relevance.ts'
import { withContext } from './context.ts'
import { RANKING, type RankingParameters, scorePassages } from './scores.ts'
import { highest } from './top.ts'
import { type WordMatch, wordMatchesOf } from './word-matches.ts'

/** Candidates whose texts are examined. */
const CLOSER_LOOK = 60

export interface RankedPassage extends Passage {
  /** Number of the passage in the index. */
  id: number
  /** BM25F with its context and the closeness of the words: about what BM25 is, not normalised. */
  score: number
  /** 0 to 1: see `relevanceOf`. */
  relevance: number
  /** Where it has the query's words. */
  matches: WordMatch[]
}

export interface RankOptions {
  limit: number
  /** Whether a file may be searched; all of them by default. */
  isOpen?: (file: string) => boolean
  parameters?: RankingParameters
}

/** The passages that share a word with the query, best first. */
export function rank(
  index: KnowledgeIndex,
  query: string,
  { limit, isOpen = () => true, parameters = RANKING }: RankOptions,
): RankedPassage[] {
  const words = queryWordsOf(index, query)
  if (words.length === 0) return []
  const scores = withContext(index, scorePassages(index, words, parameters), parameters)
  const openPlace = (id: number) => index.placesOf(id).find(({ file }) => isOpen(file))
  const candidates = highest(scores, Math.max(limit, CLOSER_LOOK), (id) => openPlace(id) !== undefined)
  const look = { index, words, query, proximity: parameters.proximity, best: scores[candidates[0] ?? 0] ?? 0 }
  return candidates
    .flatMap((id, position) => {
      const passage = index.passage(id, openPlace(id))
      if (!passage) return []
      const score = scores[id] as number
      return [
        {
          ...passage,
          id,
          relevance: relevanceOf(index, words, id),
          score,
          ...(position < CLOSER_LOOK && closerLook(look, passage, score)),
        },
      ]
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map((passage) => ({ ...passage, matches: wordMatchesOf(index, words, passage.id) }))
}

interface Look {
  index: KnowledgeIndex
  words: readonly QueryWord[]
  query: string
  proximity: number
  /** The best score of all. */
  best: number
}

/** The score with the bonus from the passage's text. */
function closerLook(
  { index, words, query, proximity, best }: Look,
  passage: Passage,
  score: number,
): { score: number; relevance?: number } {
  // A heading that is the whole query names its passage, even where all its words are common.
  if (plainText(passage.heading) === plainText(query)) return { score: score + best, relevance: 1 }
  return { score: score * (1 + proximity * proximityOf(index.analyzer, words, [...passage.path, passage.text].join('\n'))) }
}

function plainText(text: string): string {
  return tokensOf(text).map(fold).join(' ')
}
