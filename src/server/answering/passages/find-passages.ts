import { sentencesOf, trimmedAtSentence } from '../../../text/sentences.ts'
import { wordStems } from '../../../text/word-stems.ts'
import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import { mergedByRank } from '../../knowledge/retrieval/fusion.ts'
import type { FoundPassage } from '../../knowledge/retrieval/search.ts'

export interface PassageRequest {
  prompt: string
  /** The visitor's prompt before, which a follow-up leaves unsaid; `null` without one. */
  earlierPrompt: string | null
  excludedFiles: readonly string[]
}

/** The passages for a prompt, best first. */
export type FindPassages = (request: PassageRequest) => Promise<FoundPassage[]>

/** Passages that a prompt is sent with, and their characters together. */
export const MAX_PASSAGES = 8
const MAX_CHARACTERS = 8_000
/** Passages of each search that are merged. */
const MERGED = { maxPassages: 20, maxCharacters: 40_000 }
/** Longer prompts are searched by their beginning. */
const MAX_QUERY_CHARACTERS = 2_000
/** Share of the best score below which a passage is noise. */
const MIN_SCORE = 0.2
/** Share of equal words from which two passages say the same. */
const SAME = 0.9

/**
 * Searches the prompt, and the prompt after the one before, since a follow-up names only what is new; merges both by rank. On MTRAG's
 * follow-ups, that finds more than the last prompt alone, and than the whole conversation.
 */
export async function findPassages(
  knowledge: Pick<KnowledgeBase, 'search'>,
  folders: readonly string[],
  { prompt, earlierPrompt, excludedFiles }: PassageRequest,
): Promise<FoundPassage[]> {
  const own = prompt.slice(0, MAX_QUERY_CHARACTERS)
  const queries = earlierPrompt === null ? [own] : [own, `${earlierPrompt.slice(0, MAX_QUERY_CHARACTERS)}\n${own}`]
  const found = await Promise.all(queries.map((query) => knowledge.search(query, { folders, caller: 'model', ...MERGED })))
  const rankings = found.map(({ passages }) => passages.filter(({ score, file }) => score >= MIN_SCORE && !excludedFiles.includes(file)))
  return fitting(distinct(mergedByRank(rankings)))
}

/** The first of passages that say the same, no more than a prompt is sent with. */
function distinct(passages: readonly FoundPassage[]): FoundPassage[] {
  const kept: { passage: FoundPassage; words: Set<string> }[] = []
  for (const passage of passages) {
    if (kept.length === MAX_PASSAGES) break
    const words = wordStems(passage.text)
    const isKnown = kept.some((other) => shareOfEqual(words, other.words) >= SAME)
    if (!isKnown) kept.push({ passage, words })
  }
  return kept.map(({ passage }) => passage)
}

function shareOfEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length
  return both / (one.size + other.size - both)
}

/** As many as fit; the first always does. */
function fitting(passages: readonly FoundPassage[]): FoundPassage[] {
  let characters = 0
  return passages.filter(({ text, breadcrumb }, index) => {
    characters += text.length + breadcrumb.length
    return index === 0 || characters <= MAX_CHARACTERS
  })
}

/** As many passages as `sizes`, in characters: of each the part that says most about the prompt. For a model that reads little. */
export function shortPassages(
  passages: readonly FoundPassage[],
  { prompt, earlierPrompt }: Pick<PassageRequest, 'prompt' | 'earlierPrompt'>,
  sizes: readonly number[],
): FoundPassage[] {
  const wanted = wordStems(`${prompt} ${earlierPrompt ?? ''}`)
  return passages.slice(0, sizes.length).map((passage, index) => ({ ...passage, text: excerptOf(passage.text, wanted, sizes[index] ?? 0) }))
}

/** Consecutive lines and sentences, at most so many characters, the first that have most of the words. */
function excerptOf(text: string, wanted: ReadonlySet<string>, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const sentences = text.split(/(?<=\n)/).flatMap(sentencesOf)
  const parts = sentences.map((first, from) => {
    let part = first
    for (const next of sentences.slice(from + 1)) {
      if (part.length + next.length > maxCharacters) break
      part += next
    }
    return { part, found: [...wordStems(part)].filter((word) => wanted.has(word)).length }
  })
  const most = Math.max(...parts.map(({ found }) => found))
  return trimmedAtSentence((parts.find(({ found }) => found === most)?.part ?? '').trim(), maxCharacters)
}
