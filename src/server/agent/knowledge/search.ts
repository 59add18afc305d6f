import { type KnowledgeIndex, MIN_RELEVANCE, type RankedPassage } from './knowledge-index.ts'

/** A passage as models and the page see it; `relevance` is from 0 to 1. */
export interface FoundPassage extends Omit<RankedPassage, 'keywords' | 'place'> {
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

/** The passages that answer a query, best first, out of some folders; `.` is all of them. */
export function searchKnowledge(index: KnowledgeIndex, query: string, folders: readonly string[] = ['.']): SearchKnowledgeResult {
  const isOpen = (file: string) => folders.some((folder) => folder === '.' || file.startsWith(`${folder}/`))
  const ranked = index.rank(query, { limit: MAX_PASSAGES, isOpen }).filter((passage) => passage.relevance >= MIN_RELEVANCE)
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

/** What a passage was taken from, for people. */
export function sourceTitle({ title, place }: Pick<FoundPassage, 'title' | 'place'>): string {
  return place === undefined ? title : `${title}, ${place}`
}
