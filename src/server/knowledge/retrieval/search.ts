import { createHash } from 'node:crypto'
import { type KnowledgeIndex, MIN_RELEVANCE, type RankedPassage } from '../index/knowledge-index.ts'

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

/** `topics`: headings that a visitor could ask about instead; empty when something relevant was found. */
export interface SearchKnowledgeResult {
  passages: FoundPassage[]
  topics: string[]
}

const MAX_PASSAGES = 4
const MAX_TOPICS = 6

/** Passages of each way to search that are merged. */
const MERGED = 20
/** What a rank is worth is 1 / (60 + rank): Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion", SIGIR 2009. */
const RANK_CONSTANT = 60
/** A passage that was found by its meaning alone is as relevant as the least that words find. */
const BY_MEANING = MIN_RELEVANCE

/** Whether a file is in one of the folders; `.` is all of them. */
export function isIn(folders: readonly string[]): (file: string) => boolean {
  return (file) => folders.some((folder) => folder === '.' || file.startsWith(`${folder}/`))
}

/**
 * The passages that answer a query, best first, out of some folders; `.` is all of them. `near` are the ids of passages that are near in
 * meaning, nearest first: both rankings are merged, and neither has to know how the other measures.
 */
export function searchKnowledge(
  index: KnowledgeIndex,
  query: string,
  folders: readonly string[] = ['.'],
  near: readonly number[] = [],
): SearchKnowledgeResult {
  const isOpen = isIn(folders)
  const limit = near.length > 0 ? MERGED : MAX_PASSAGES
  const byWords = index.rank(query, { limit, isOpen }).filter((passage) => passage.relevance >= MIN_RELEVANCE)
  const ranked = near.length > 0 ? merged(index, byWords, near).slice(0, MAX_PASSAGES) : byWords
  const passages = ranked.map(({ title, file, heading, text, relevance, place }) => ({
    id: passageId(file, place, heading, text),
    title,
    breadcrumb: [...new Set([title, heading])].join(' › '),
    heading,
    file,
    address: null,
    asOf: null,
    ...(place !== null && { place }),
    text,
    score: Number((relevance / (ranked[0]?.relevance || 1)).toFixed(2)),
    relevance: Number(relevance.toFixed(2)),
  }))
  return { passages, topics: passages.length > 0 ? [] : index.topics(query, { limit: MAX_TOPICS, isOpen }) }
}

const ID_CHARACTERS = 12

function passageId(...content: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, ID_CHARACTERS)
}

/** Best first by the sum of what the ranks are worth in which a passage stands. */
function merged(index: KnowledgeIndex, byWords: readonly RankedPassage[], near: readonly number[]): RankedPassage[] {
  const worth = new Map<number, number>()
  for (const ids of [byWords.map(({ id }) => id), near.slice(0, MERGED)])
    for (const [rank, id] of ids.entries()) worth.set(id, (worth.get(id) ?? 0) + 1 / (RANK_CONSTANT + rank + 1))
  const known = new Map(byWords.map((passage) => [passage.id, passage]))
  return [...worth]
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([id]) => {
      const passage = index.passage(id)
      return known.get(id) ?? (passage ? { ...passage, id, relevance: BY_MEANING } : [])
    })
}

/** What a passage was taken from, for people. */
export function sourceTitle({ title, place }: Pick<FoundPassage, 'title' | 'place'>): string {
  return place === undefined ? title : `${title}, ${place}`
}
