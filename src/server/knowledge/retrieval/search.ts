import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import { breadcrumbOf, type IsOpen, passagesHeaded, topicOf, topicsOf } from './topics.ts'
import { type RankedPassage, rank } from './rank.ts'
import { trimmedAtSentence } from '../../../text/sentences.ts'
import type { IndexingProgress } from '../index/folder-indexer.ts'
import type { Passage } from '../ingestion/passages.ts'
import { queryWordsOf } from './query.ts'
import { type WordMatch, wordMatchesOf } from './word-matches.ts'
import { type ScoredPassage, BEST_BY_WORDS, fuse } from './fusion.ts'

/** Shorter trimmed passages are useless. */
const MIN_TRIMMED_CHARACTERS = 200

/** As many passages as fit with their breadcrumbs, the last one trimmed at a sentence; the first always, at least in part. */
function packed<T extends { text: string; breadcrumb: string }>(passages: readonly T[], maxCharacters: number): T[] {
  const result: T[] = []
  let left = maxCharacters
  for (const passage of passages) {
    const room = left - passage.breadcrumb.length
    if (passage.text.length <= room) {
      result.push(passage)
      left = room - passage.text.length
      continue
    }
    if (room >= MIN_TRIMMED_CHARACTERS || result.length === 0)
      result.push({ ...passage, text: trimmedAtSentence(passage.text, Math.max(1, room)) })
    break
  }
  return result
}

const MAX_OF_SECTION = 2

/** The best passages, at most two of one section unless there are no others. */
function diverse(ranked: readonly RankedPassage[], limit: number): RankedPassage[] {
  const counts = new Map<string, number>()
  const [chosen, rest]: [RankedPassage[], RankedPassage[]] = [[], []]
  for (const passage of ranked) {
    const section = JSON.stringify([passage.file, passage.path])
    const count = (counts.get(section) ?? 0) + 1
    counts.set(section, count)
    const to = count <= MAX_OF_SECTION ? chosen : rest
    to.push(passage)
  }
  return [...chosen, ...rest].slice(0, limit)
}

/** A passage as callers of the search see it. */
export interface FoundPassage extends Pick<Passage, 'title' | 'heading' | 'file' | 'address' | 'asOf' | 'text'> {
  /** Stable while the passage's heading and text stay the same. */
  id: string
  /** `Title › Section › Subsection`. */
  breadcrumb: string
  /** Where in the file, if it has pages or rows: "page 3". */
  place?: string
  /** 0 to 1, relative to the best passage of this search: for ordering and for models, not a threshold. */
  score: number
  /** 0 to 1: how much of the query the passage covers, rare words counting more. The built-in assistant's threshold applies to it. */
  relevance: number
  /** Cosine similarity to the query above the average of all passages; null without a vector, or beyond the nearest passages. */
  closeness: number | null
  /** Where it has the words of the query; for the built-in assistant. */
  matches?: WordMatch[]
  /** A prompt that is answered from it, `null` if there is none; for the built-in assistant. */
  topic?: string | null
}

/** The caller: a language model, which judges passages itself, or the built-in assistant, which quotes one whole. */
export type SearchCaller = 'model' | 'builtin'

export interface SearchOptions {
  /** Folders that may be searched; `.` is all of them. */
  folders: readonly string[]
  caller: SearchCaller
  maxPassages?: number
  /** Limit of all passages' texts together; the excess is trimmed at a sentence or left out. */
  maxCharacters?: number
}

export interface NeighboursOptions {
  folders: readonly string[]
  before: number
  after: number
}

/** Passages of the same document around one, in reading order. */
export interface NeighbourPassages {
  passage: FoundPassage
  before: FoundPassage[]
  after: FoundPassage[]
}

/** Always the nearest passages, whether or not they answer the query: callers decide that. */
export interface SearchKnowledgeResult {
  passages: FoundPassage[]
  /** Prompts that are answered, for an empty query of the built-in assistant. */
  topics: string[]
  /** How much is indexed while the index is being built; null when all of it is. */
  progress: IndexingProgress | null
}

const DEFAULTS: Record<SearchCaller, { maxPassages: number; maxCharacters: number }> = {
  model: { maxPassages: 20, maxCharacters: 8_000 },
  builtin: { maxPassages: 6, maxCharacters: 24_000 },
}
const MAX_TOPICS = 4
/** Candidates when words alone are searched: several times what fits, for the diversity of sections. */
const BEST_WITHOUT_VECTORS = 60
/** How many of each ranking come first among those that the built-in assistant chooses from. */
const [FIRST_BY_WORDS, FIRST_BY_MEANING] = [4, 2]

/** Whether a file is in one of the folders; `.` is all of them. */
export function isInFolders(folders: readonly string[]): IsOpen {
  return (file) => folders.some((folder) => folder === '.' || file.startsWith(`${folder.normalize('NFC')}/`))
}

export function searchKnowledge(index: KnowledgeIndex, query: string, options: SearchOptions): SearchKnowledgeResult {
  return resultOf(index, query, options, rankPassages(index, query, options))
}

/** Passages for a query, best first. `near` are those nearest in meaning, nearest first; none searches by words alone. */
export function rankPassages(
  index: KnowledgeIndex,
  query: string,
  { folders, caller }: Pick<SearchOptions, 'folders' | 'caller'>,
  near: readonly ScoredPassage[] = [],
): RankedPassage[] {
  if (caller === 'builtin') return rankForQuoting(index, query, isInFolders(folders), near)
  // Every candidate is decoded. Fusion needs many to normalise scores; word search alone does not.
  const limit = near.length === 0 ? BEST_WITHOUT_VECTORS : BEST_BY_WORDS
  const byWords = rank(index, query, { limit, isOpen: isInFolders(folders) })
  if (near.length === 0) return byWords
  const known = new Map(byWords.map((passage) => [passage.id, passage]))
  const closenesses = new Map(near.map(({ id, score }) => [id, score]))
  return fuse(byWords, near, index.size).flatMap(({ id, score }) => {
    const passage = known.get(id) ?? index.passage(id)
    const closeness = closenesses.get(id) ?? null
    return passage ? [{ relevance: 0, matches: [], ...passage, closeness, id, score }] : []
  })
}

/** Passages by words, the one first whose heading the query is, and after a few those nearest in meaning. */
function rankForQuoting(index: KnowledgeIndex, query: string, isOpen: IsOpen, near: readonly ScoredPassage[]): RankedPassage[] {
  const byWords = rank(index, query, { limit: BEST_WITHOUT_VECTORS, isOpen })
  const headed = passagesHeaded(index, query, isOpen).slice(0, 1)
  const known = new Map<number, Passage>([...headed, ...byWords].map((passage) => [passage.id, passage]))
  const closenesses = new Map(near.map(({ id, score }) => [id, score]))
  const words = queryWordsOf(index, query)
  const chosen = [...headed, ...byWords.slice(0, FIRST_BY_WORDS), ...near.slice(0, FIRST_BY_MEANING), ...byWords]
  return [...new Set(chosen.map(({ id }) => id))].flatMap((id) => {
    const passage = known.get(id) ?? index.passage(id)
    const matches = wordMatchesOf(index, words, id)
    return passage ? [{ score: 0, relevance: 0, matches, ...passage, id, closeness: closenesses.get(id) ?? null }] : []
  })
}

/** The passages of a ranking that fit the caller's limits. */
export function resultOf(
  index: KnowledgeIndex,
  query: string,
  { folders, caller, ...options }: SearchOptions,
  ranked: readonly RankedPassage[],
): SearchKnowledgeResult {
  const { maxPassages, maxCharacters } = { ...DEFAULTS[caller], ...options }
  const isOpen = isInFolders(folders)
  const best = Math.max(0, ...ranked.map(({ score }) => score)) || 1
  const passages = diverse(ranked, maxPassages).map((passage) => {
    const shown = found(index, passage, { ...passage, score: passage.score / best })
    return caller === 'builtin' ? { ...shown, matches: passage.matches, topic: topicOf(index, passage, isOpen) } : shown
  })
  const topics = caller === 'builtin' && query === '' ? topicsOf(index, MAX_TOPICS, isOpen) : []
  return { passages: packed(passages, maxCharacters), topics, progress: null }
}

/** The passages around one of an earlier result, in its document; null when there is no such passage in these folders. */
export function neighboursOf(index: KnowledgeIndex, id: string, { folders, before, after }: NeighboursOptions): NeighbourPassages | null {
  const isOpen = isInFolders(folders)
  const number = index.numberOf(id)
  const document = number === undefined ? undefined : index.placesOf(number).find(({ file }) => isOpen(file))
  if (number === undefined || !document) return null
  const at = document.passages.indexOf(number)
  const passagesAt = (numbers: readonly number[]) =>
    numbers.flatMap((neighbour) => {
      const passage = index.passage(neighbour, document)
      return passage ? found(index, { ...passage, id: neighbour }) : []
    })
  const [passage] = passagesAt([number])
  return passage
    ? {
        passage,
        before: passagesAt(document.passages.slice(Math.max(0, at - before), at)),
        after: passagesAt(document.passages.slice(at + 1, at + 1 + after)),
      }
    : null
}

type PassageScores = Pick<FoundPassage, 'relevance' | 'score' | 'closeness'>

function found(
  index: KnowledgeIndex,
  passage: Passage & { id: number },
  { relevance, score, closeness }: PassageScores = { relevance: 0, score: 0, closeness: null },
): FoundPassage {
  const { id, title, heading, file, address, asOf, place, text } = passage
  return {
    id: index.idOf(id),
    title,
    breadcrumb: breadcrumbOf(passage),
    heading,
    file,
    address: address !== null && place !== null ? atPage(address, place) : address,
    asOf,
    ...(place !== null && { place }),
    text,
    score: Number(score.toFixed(2)),
    relevance: Number(relevance.toFixed(2)),
    closeness: closeness === null ? null : Number(closeness.toFixed(3)),
  }
}

/** Browsers open a PDF at its page. */
function atPage(address: string, place: string): string {
  const page = /^page (\d+)$/.exec(place)?.[1]
  return page === undefined ? address : `${address}#page=${page}`
}

export function sourceTitle({ title, place }: Pick<FoundPassage, 'title' | 'place'>): string {
  return place === undefined ? title : `${title}, ${place}`
}
