import { type KnowledgeIndex, fieldCountsOf } from '../index/knowledge-index.ts'
import { type QueryTerm, type QueryWord, queryWordsOf } from './query.ts'
import type { Passage } from '../ingestion/passages.ts'
import { plainWord } from '../../../text/word-forms.ts'
import { readTokens } from '../index/analyzer.ts'
import { proximityOf } from './proximity.ts'
import { highest } from './top.ts'
import { type WordMatch, wordMatchesOf } from './word-matches.ts'

/** BM25's saturation of frequent words. */
const K1 = 1.2
/** Weight of a posting's short fields relative to the text, by the upper byte of its packed counts. */
const SHORT_FIELDS = Float32Array.from({ length: 256 }, (_, upper) => {
  const { heading, path, title, keywords } = fieldCountsOf(upper << 8)
  return heading + path + title + 2 * keywords
})

/** BM25F of all passages by number. Zero where no word occurs. */
function scorePassages(index: KnowledgeIndex, words: readonly QueryWord[]): Float32Array {
  const scores = new Float32Array(index.capacity)
  const norms = index.lengthNorms()
  const ofWord = new Float32Array(words.some(({ terms }) => terms.length > 1) ? index.capacity : 0)
  for (const { terms, weight } of words) {
    if (terms.length === 1) addTerm(terms[0] as QueryTerm, weight, scores)
    else addBest(terms, weight)
  }
  return scores

  function addTerm({ term, weight: kindWeight }: QueryTerm, weight: number, into: Float32Array): void {
    const postings = index.postingsOf(term)
    if (!postings) return
    const factor = weight * kindWeight * (K1 + 1) * inverseFrequency(index.size, index.frequencyOf(term))
    const { passages, weights } = postings
    for (let at = postings.start; at < postings.end; at += 1) {
      const passage = passages[at] as number
      const packed = weights[at] as number
      const frequency = (packed & 0xff) * (norms[passage] as number) + (SHORT_FIELDS[packed >>> 8] as number)
      into[passage] =
        Math.max(into === ofWord ? (into[passage] as number) : 0, (factor * frequency) / (K1 + frequency)) +
        (into === ofWord ? 0 : (into[passage] as number))
    }
  }

  /** Adds, per passage, the best score among the terms of one word. */
  function addBest(terms: readonly QueryTerm[], weight: number): void {
    for (const term of terms) addTerm(term, weight, ofWord)
    for (const { term } of terms) {
      const postings = index.postingsOf(term)
      if (!postings) continue
      for (let at = postings.start; at < postings.end; at += 1) {
        const passage = postings.passages[at] as number
        scores[passage] = (scores[passage] as number) + (ofWord[passage] as number)
        ofWord[passage] = 0
      }
    }
  }
}

/** BM25's inverse document frequency: always positive. */
function inverseFrequency(passages: number, frequency: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}

/** Shares of the better neighbour's score, and of the best score in the same document, that are added. */
const [NEIGHBOUR_SHARE, DOCUMENT_SHARE] = [0.1, 0.25]
/** Added for words that are as close as in the query. */
const PROXIMITY_BONUS = 0.5

/** A word in the heading tells more than one in the text. */
const FIELD_WORTH = { heading: 1, keywords: 1, path: 0.75, title: 0.75, body: 0.7 } as const

/** How much of the query a passage covers, from 0 to 1, rare words counting more and words that no passage has most. */
function relevanceOf(index: KnowledgeIndex, words: readonly QueryWord[], passage: number): number {
  let covered = 0
  let total = 0
  for (const { terms, weight } of words) {
    const frequency = Math.max(...terms.map(({ term }) => index.frequencyOf(term)))
    const importance = weight * Math.log(1 + index.size / (1 + frequency))
    total += importance
    covered += importance * Math.max(...terms.map(({ term, weight: kindWeight }) => kindWeight * worthOf(index.weightOf(term, passage))))
  }
  return total === 0 ? 0 : covered / total
}

function worthOf(weight: number | undefined): number {
  if (weight === undefined) return 0
  const counts = fieldCountsOf(weight)
  return Math.max(0, ...Object.entries(FIELD_WORTH).map(([field, worth]) => (counts[field as keyof typeof counts] > 0 ? worth : 0)))
}

/** Scores with a share of the better neighbour's and of the document's best: these may have the other words of a question. */
function withContext(index: KnowledgeIndex, scores: Float32Array): Float32Array {
  const result = new Float32Array(scores.length)
  for (const { passages } of index.documents.values()) {
    let best = 0
    for (const number of passages) best = Math.max(best, scores[number] as number)
    if (best === 0) continue
    for (const [at, number] of passages.entries()) {
      const score = scores[number] as number
      if (score === 0) continue
      const beside = Math.max(
        at > 0 ? (scores[passages[at - 1] as number] as number) : 0,
        at + 1 < passages.length ? (scores[passages[at + 1] as number] as number) : 0,
      )
      result[number] = Math.max(
        result[number] as number,
        (score + NEIGHBOUR_SHARE * beside + DOCUMENT_SHARE * best) / (1 + NEIGHBOUR_SHARE + DOCUMENT_SHARE),
      )
    }
  }
  return result
}

const CLOSER_LOOK = 60

export interface RankedPassage extends Passage {
  id: number
  /** BM25F with its context and the closeness of the words: about what BM25 is, not normalised. */
  score: number
  /** 0 to 1: see `relevanceOf`. */
  relevance: number
  /** Cosine similarity to the query above the average; null where it is unknown. */
  closeness: number | null
  matches: WordMatch[]
}

export interface RankOptions {
  limit: number
  isOpen?: (file: string) => boolean
}

/** The passages that share a word with the query, best first. */
export function rank(index: KnowledgeIndex, query: string, { limit, isOpen = () => true }: RankOptions): RankedPassage[] {
  const words = queryWordsOf(index, query)
  if (words.length === 0) return []
  const scores = withContext(index, scorePassages(index, words))
  const openPlace = (id: number) => index.placesOf(id).find(({ file }) => isOpen(file))
  const candidates = highest(scores, Math.max(limit, CLOSER_LOOK), (id) => openPlace(id) !== undefined)
  const look = { index, words, query, best: scores[candidates[0] ?? 0] ?? 0 }
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
          ...(position < CLOSER_LOOK && closerLook(look, id, passage, score)),
        },
      ]
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map((passage) => ({ ...passage, closeness: null, matches: wordMatchesOf(index, words, passage.id) }))
}

function closerLook(
  { index, words, query, best }: { index: KnowledgeIndex; words: readonly QueryWord[]; query: string; best: number },
  id: number,
  passage: Passage,
  score: number,
): { score: number; relevance?: number } {
  // A heading that is the whole query, with or without those above it, names its passage, even where all its words are common.
  const names = [passage.heading, [passage.title, ...passage.path].join(' ')]
  if (names.some((name) => plainText(name) === plainText(query))) return { score: score + best, relevance: 1 }
  const text = [...passage.path, passage.text].join('\n')
  return { score: score * (1 + PROXIMITY_BONUS * proximityOf(words, text, index.languagesOf(id))) }
}

function plainText(text: string): string {
  return readTokens(text, 'outline')
    .map((token) => plainWord(token.text))
    .join(' ')
}
