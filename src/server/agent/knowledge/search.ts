import { type KnowledgeIndex, MIN_RELEVANCE, type RankedPassage } from './knowledge-index.ts'

/** A passage as models and the page see it; `relevance` is from 0 to 1. */
export interface FoundPassage extends Omit<RankedPassage, 'id' | 'keywords' | 'place'> {
  /** Where in the file, if it has pages or rows. */
  place?: string
}

/** `topics` are what can be asked instead; present when nothing was found. */
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
    title,
    file,
    heading,
    text,
    ...(place !== null && { place }),
    relevance: Number(relevance.toFixed(2)),
  }))
  return { passages, topics: passages.length > 0 ? [] : index.topics(query, { limit: MAX_TOPICS, isOpen }) }
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
