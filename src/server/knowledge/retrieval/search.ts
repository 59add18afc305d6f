import { createHash } from 'node:crypto'
import type { KnowledgeIndex, RankedPassage } from '../index/knowledge-index.ts'
import type { Passage } from '../ingestion/passages.ts'
import { BEST_BY_WORDS, fuse, type ScoredPassage } from './fusion.ts'

/** A passage as callers of the search see it. */
export interface FoundPassage {
  /** Stable while the passage's file, place and text stay the same. */
  id: string
  /** Title of the document. */
  title: string
  /** `Title › Section › Subsection`. */
  breadcrumb: string
  /** The innermost heading; the title where there is none. */
  heading: string
  /** Path inside the knowledge folder, with forward slashes. */
  file: string
  /** Web address of the page it was taken from; null where there is none. */
  address: string | null
  /** ISO date (`2026-11-22`) that the content is known to be from; null when unknown. */
  asOf: string | null
  /** Where in the file, if it has pages or rows: "page 3". */
  place?: string
  /** Markdown. */
  text: string
  /** 0 to 1, relative to the best passage of this search: for ordering and for models, not a threshold. */
  score: number
  /** 0 to 1: how much of the query the passage covers, rare words counting more. The built-in assistant's threshold applies to it. */
  relevance: number
}

/** Who searches: a language model, which judges passages itself, or the built-in assistant, which repeats one whole. */
export type SearchCaller = 'model' | 'builtin'

export interface SearchOptions {
  /** Folders that may be searched; `.` is all of them. */
  folders: readonly string[]
  caller: SearchCaller
  maxPassages?: number
  /** Of all passages' texts together; what does not fit is trimmed at a sentence or left out. */
  maxCharacters?: number
}

export interface NeighboursOptions {
  folders: readonly string[]
  /** How many passages before and after, at most. */
  before: number
  after: number
}

/** Passages of the same document around one, in reading order. */
export interface NeighbourPassages {
  before: FoundPassage[]
  after: FoundPassage[]
}

export interface IndexingProgress {
  /** Files. */
  indexed: number
  total: number
}

/** Always the nearest passages, whether or not they answer the query: callers decide that. */
export interface SearchKnowledgeResult {
  passages: FoundPassage[]
  /** Headings that a visitor could ask about instead; for the built-in assistant. */
  topics: string[]
  /** How much is indexed while the index is being built; null when all of it is. */
  progress: IndexingProgress | null
}

/** What each caller gets unless it asks otherwise. */
const DEFAULTS: Record<SearchCaller, { maxPassages: number; maxCharacters: number }> = {
  model: { maxPassages: 20, maxCharacters: 8_000 },
  builtin: { maxPassages: 4, maxCharacters: 24_000 },
}
const MAX_TOPICS = 6
const MAX_NEIGHBOURS = 5

/** Whether a file is in one of the folders; `.` is all of them. */
export function isIn(folders: readonly string[]): (file: string) => boolean {
  return (file) => folders.some((folder) => folder === '.' || file.startsWith(`${folder}/`))
}

/** The passages nearest to a query by words alone. */
export function searchKnowledge(index: KnowledgeIndex, query: string, options: SearchOptions): SearchKnowledgeResult {
  return resultOf(index, query, options, rankPassages(index, query, options))
}

/** Passages for a query, best first. `near` are those nearest in meaning, nearest first; none searches by words alone. */
export function rankPassages(
  index: KnowledgeIndex,
  query: string,
  { folders }: Pick<SearchOptions, 'folders'>,
  near: readonly ScoredPassage[] = [],
): RankedPassage[] {
  const byWords = index.rank(query, { limit: BEST_BY_WORDS, isOpen: isIn(folders) })
  if (near.length === 0) return byWords
  const known = new Map(byWords.map((passage) => [passage.id, passage]))
  return fuse(byWords, near, index.size).flatMap(({ id, score }) => {
    const passage = known.get(id) ?? index.passage(id)
    return passage ? [{ relevance: 0, ...passage, id, score }] : []
  })
}

/** Of a ranking, what the caller has room for. */
export function resultOf(
  index: KnowledgeIndex,
  query: string,
  { folders, caller, ...options }: SearchOptions,
  ranked: readonly RankedPassage[],
): SearchKnowledgeResult {
  const { maxPassages, maxCharacters } = { ...DEFAULTS[caller], ...options }
  const passages = ranked.slice(0, maxPassages).map((passage, rank) => found(passage, passage.relevance, 1 / (1 + rank)))
  const topics = caller === 'builtin' ? index.topics(query, { limit: MAX_TOPICS, isOpen: isIn(folders) }) : []
  return { passages: packed(passages, maxCharacters), topics, progress: null }
}

/** The passages around one of an earlier result, in its document; null when there is no such passage in these folders. */
export function neighboursOf(index: KnowledgeIndex, id: string, options: NeighboursOptions): NeighbourPassages | null {
  const isOpen = isIn(options.folders)
  const anchor = [...index.passages().values()].find((passage) => isOpen(passage.file) && passageId(passage) === id)
  if (!anchor) return null
  const document = [...index.passages().values()].filter(({ file }) => file === anchor.file)
  const at = document.indexOf(anchor)
  const [before, after] = [options.before, options.after].map((count) => Math.min(count, MAX_NEIGHBOURS)) as [number, number]
  return {
    before: document.slice(Math.max(0, at - before), at).map((passage) => found(passage)),
    after: document.slice(at + 1, at + 1 + after).map((passage) => found(passage)),
  }
}

function found(passage: Passage, relevance = 0, score = 0): FoundPassage {
  const { title, file, heading, text, place } = passage
  return {
    id: passageId(passage),
    title,
    breadcrumb: [...new Set([title, heading])].join(' › '),
    heading,
    file,
    address: null,
    asOf: null,
    ...(place !== null && { place }),
    text,
    score: Number(score.toFixed(2)),
    relevance: Number(relevance.toFixed(2)),
  }
}

/** A trimmed passage shorter than this says too little. */
const MIN_TRIMMED_CHARACTERS = 200

/** As many passages as fit, the last trimmed at a sentence; at least the beginning of the first. */
function packed(passages: readonly FoundPassage[], maxCharacters: number): FoundPassage[] {
  const result: FoundPassage[] = []
  let left = maxCharacters
  for (const passage of passages) {
    if (passage.text.length <= left) result.push(passage)
    else if (left >= MIN_TRIMMED_CHARACTERS || result.length === 0) return [...result, { ...passage, text: trimmed(passage.text, left) }]
    else return result
    left -= passage.text.length
  }
  return result
}

function trimmed(text: string, maxCharacters: number): string {
  const start = text.slice(0, maxCharacters).toWellFormed()
  const end = Math.max(start.lastIndexOf('. '), start.lastIndexOf('.\n'), start.lastIndexOf('\n'))
  return `${start.slice(0, end > maxCharacters / 2 ? end + 1 : maxCharacters).trimEnd()} …`
}

const ID_CHARACTERS = 12

function passageId({ file, place, heading, text }: Passage): string {
  return createHash('sha256')
    .update(JSON.stringify([file, place, heading, text]))
    .digest('base64url')
    .slice(0, ID_CHARACTERS)
}

/** What a passage was taken from, for people. */
export function sourceTitle({ title, place }: Pick<FoundPassage, 'title' | 'place'>): string {
  return place === undefined ? title : `${title}, ${place}`
}
