import { plainWord } from '../../../text/word-forms.ts'
import { fieldCountsOf, type KnowledgeIndex } from '../index/knowledge-index.ts'
import type { QueryTerm, QueryWord } from './query.ts'

export interface WordMatch {
  /** As in the query, in plain letters. */
  word: string
  place: 'heading' | 'keywords' | 'text' | null
  /** How many passages have it, mistyped or not. */
  passages: number
  /** Grows with the word's rarity in the knowledge. */
  weight: number
}

/** The content words of the query with the fields of the passage that contain them. */
export function wordMatchesOf(index: KnowledgeIndex, words: readonly QueryWord[], passage: number): WordMatch[] {
  return words.flatMap(({ word, terms, isWeak }) => {
    if (isWeak) return []
    const likely = terms.filter((term) => isLikely(term, plainWord(word)))
    const places = likely.map(({ term }) => placeOf(index.weightOf(term, passage)))
    const place = (['heading', 'keywords', 'text'] as const).find((one) => places.includes(one)) ?? null
    const passages = Math.max(0, ...likely.map(({ term }) => index.frequencyOf(term)))
    return [{ word: plainWord(word), place, passages, weight: Math.log(1 + index.size / (1 + passages)) }]
  })
}

function placeOf(weight: number | undefined): WordMatch['place'] {
  if (weight === undefined) return null
  const { heading, keywords } = fieldCountsOf(weight)
  return heading > 0 ? 'heading' : keywords > 0 ? 'keywords' : 'text'
}

const MIN_MISTYPED_CHARACTERS = 4
/** Suffixes that stemming usually removes. */
const ENDING = /(?:e?s|ed|ing|en|e)$/

/** Whether a term certainly stands for a word: a longer term starts with the whole word, a mistyped one shares all but one letter. */
function isLikely({ term, kind }: QueryTerm, word: string): boolean {
  if (kind === 'prefix') return term.startsWith(word)
  if (kind !== 'fuzzy') return true
  return [word, word.replace(ENDING, '')].some(
    (form) =>
      Math.min(term.length, form.length) >= MIN_MISTYPED_CHARACTERS && (lettersLeft(term, form) === 0 || lettersLeft(form, term) === 0),
  )
}

/** How many letters of one word another lacks, without regard to their order. */
function lettersLeft(one: string, other: string): number {
  const rest = [...other]
  return [...one].filter((letter) => {
    const at = rest.indexOf(letter)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  }).length
}
