import { partsOf, readTokens, stemsOf, type Token } from '../index/analyzer.ts'
import { isStopWord, isWeakWord } from '../index/grammars.ts'
import type { KnowledgeIndex } from '../index/knowledge-index.ts'

const MAX_WORDS = 64
/** Shorter words are only searched as they are. */
const MIN_EXPANDED_CHARACTERS = 5
/** Letters of scripts that leave out vowels tell more. */
const MIN_EXPANDED_CONSONANTS = 4
const CONSONANTS = /\p{Script=Arabic}|\p{Script=Hebrew}/u
const MAX_EXPANSIONS = 5
/** Limit of unknown words that are expanded by prefix, typo or compound. */
const MAX_UNKNOWN_WORDS = 8
const KIND_WEIGHT = { exact: 1, synonym: 1, prefix: 0.85, fuzzy: 0.75, part: 0.6 } as const
export type MatchKind = keyof typeof KIND_WEIGHT
/** Weight of a word that is usually filler, and of characters that may belong to a longer word. */
const WEAK_WORD_WEIGHT = 0.5
const PART_WORD_WEIGHT = 0.5

export interface QueryTerm {
  term: string
  kind: MatchKind
  weight: number
}

/** A word of the query with the index terms that stand for it, of which the best counts. */
export interface QueryWord {
  word: string
  terms: QueryTerm[]
  weight: number
  /** Filler in most questions, or part of another word. */
  isWeak: boolean
}

/** The content words of a query, or all of its words if it has none. */
export function queryWordsOf(index: KnowledgeIndex, query: string): QueryWord[] {
  const languages = index.languagesOfQuery(query)
  const tokens = readTokens(query, 'query').slice(0, MAX_WORDS)
  const meaningful = tokens.filter(({ text }) => !isStopWord(text, languages))
  const chosen = meaningful.length > 0 ? meaningful : tokens
  const onlyWeak = chosen.every(({ text }) => isWeakWord(text))
  const weightOf = ({ text, isPart }: Token) => (isPart || (!onlyWeak && isWeakWord(text)) ? WEAK_WORD_WEIGHT : 1)
  const isKnown = (word: string) => stemsOf(word, languages).some((stem) => index.frequencyOf(stem) > 0)
  // Compounds are also written apart: مهد کودک.
  const joined = tokens.slice(1).flatMap(({ text, isPart }, at) => {
    const before = tokens[at] as Token
    const isApart = !isPart && !before.isPart && !(isKnown(before.text) && isKnown(text)) && isKnown(`${before.text}${text}`)
    return isApart ? { text: `${before.text}${text}`, isPart } : []
  })
  const words = [...chosen, ...joined].flatMap((read) => [
    { token: read.text, weight: weightOf(read), isWeak: weightOf(read) < 1 },
    ...partsOf(read.text).map((part) => ({ token: part, weight: PART_WORD_WEIGHT, isWeak: true })),
  ])
  const result = new Map<string, QueryWord>()
  let unknown = 0
  for (const { token, weight, isWeak } of words) {
    const stems = stemsOf(token, languages)
    const key = stems.join(' ')
    if (stems.length === 0 || result.has(key)) continue
    const hasKnown = index.synonyms.expand(stems).some((term) => index.frequencyOf(term) > 0)
    const isExpanded =
      !hasKnown &&
      token.length >= (CONSONANTS.test(token) ? MIN_EXPANDED_CONSONANTS : MIN_EXPANDED_CHARACTERS) &&
      unknown < MAX_UNKNOWN_WORDS
    if (isExpanded) unknown += 1
    result.set(key, { word: token, isWeak, terms: isExpanded ? expansionsOf(index, stems) : knownTerms(index, stems), weight })
  }
  return [...result.values()]
}

function termOf(term: string, kind: MatchKind): QueryTerm {
  return { term, kind, weight: KIND_WEIGHT[kind] }
}

function knownTerms(index: KnowledgeIndex, stems: readonly string[]): QueryTerm[] {
  return index.synonyms.expand(stems).map((term) => termOf(term, stems.includes(term) ? 'exact' : 'synonym'))
}

/** Terms for a word that the index does not have: longer ones, mistyped ones, or the parts of a compound. */
function expansionsOf(index: KnowledgeIndex, stems: readonly string[]): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  for (const stem of stems) {
    for (const { term, kind } of index.near(stem, MAX_EXPANSIONS)) if (!terms.has(term)) terms.set(term, termOf(term, kind))
  }
  if (terms.size === 0) for (const stem of stems) for (const part of compoundParts(index, stem)) terms.set(part, termOf(part, 'part'))
  return terms.size > 0 ? [...terms.values()] : stems.map((stem) => termOf(stem, 'exact'))
}

const MIN_COMPOUND_CHARACTERS = 9
const MIN_PART_CHARACTERS = 4
const LINKING_ELEMENTS = ['', 's', 'es', 'n', 'en']

/** A compound ("Aufbewahrungsfrist") as two words that the index knows; none if there are no such words. */
function compoundParts(index: KnowledgeIndex, word: string): string[] {
  if (word.length < MIN_COMPOUND_CHARACTERS) return []
  const { languages } = index
  const knownStem = (part: string) =>
    isStopWord(part, languages) ? undefined : stemsOf(part, languages).find((stem) => index.frequencyOf(stem) > 0)
  for (let at = word.length - MIN_PART_CHARACTERS; at >= MIN_PART_CHARACTERS; at -= 1) {
    const tail = knownStem(word.slice(at))
    if (tail === undefined) continue
    const head = word.slice(0, at)
    for (const link of LINKING_ELEMENTS) {
      const first = head.endsWith(link) ? knownStem(head.slice(0, head.length - link.length)) : undefined
      if (first !== undefined) return [first, tail]
    }
  }
  return []
}
