import MiniSearch, { type SearchResult } from 'minisearch'
import type { Passage } from './passages.ts'
import { termOf, wordsOf } from './terms.ts'

export interface RankedPassage extends Passage {
  /** 0 to 1: how much of what was asked the passage speaks of, rare words counting more. */
  relevance: number
}

/** How many candidates are looked at more closely. */
const MAX_CANDIDATES = 20
const MIN_FUZZY_CHARACTERS = 4
const MIN_PREFIX_CHARACTERS = 4
/** What a match is worth, by its kind. */
const WORTH = { exact: 1, prefix: 0.85, fuzzy: 0.75 }
/** A word in the heading says what a passage is about; one in its text may be there by chance. */
const FIELD_WORTH = { heading: 1, keywords: 1, title: 0.75, text: 0.7 }
/** A passage under this is no answer. */
export const MIN_RELEVANCE = 0.57
/** A passage from this on is near enough to be offered as a topic. */
const MIN_TOPIC_RELEVANCE = 0.3

const SEARCH_OPTIONS = {
  boost: { heading: 4, keywords: 3, title: 1.5, text: 1 },
  prefix: (term: string) => term.length >= MIN_PREFIX_CHARACTERS,
  fuzzy: (term: string) => (term.length >= MIN_FUZZY_CHARACTERS ? 0.2 : false),
  combineWith: 'OR' as const,
}

/** Finds passages by words: with other endings, with typos, ranked. Built once, read-only after. */
export class KnowledgeIndex {
  readonly #passages: readonly Passage[]
  readonly #search: MiniSearch
  /** In how many passages a term occurs. */
  readonly #frequencies = new Map<string, number>()

  constructor(passages: readonly Passage[]) {
    this.#passages = passages
    this.#search = new MiniSearch({
      fields: ['heading', 'keywords', 'title', 'text'],
      tokenize: wordsOf,
      processTerm: termOf,
      searchOptions: SEARCH_OPTIONS,
    })
    this.#search.addAll(passages.map((passage, id) => ({ ...passage, id })))
    for (const passage of passages) this.#count(passage)
  }

  get size(): number {
    return this.#passages.length
  }

  /** Best first. Every passage that shares a word with the query, relevant or not. */
  rank(query: string, limit: number): RankedPassage[] {
    const named = this.#passages.find((passage) => plainText(passage.heading) === plainText(query))
    const found = this.#found(query).filter((passage) => passage.heading !== named?.heading)
    return (named ? [{ ...named, relevance: 1 }, ...found] : found).slice(0, limit)
  }

  #found(query: string): RankedPassage[] {
    const terms = termsOf(query)
    if (terms.length === 0) return []
    const results = this.#search.search(query).slice(0, MAX_CANDIDATES)
    const best = results[0]?.score ?? 1
    return results
      .map((result) => ({ result, relevance: this.#relevance(terms, result) }))
      .toSorted((one, other) => rankOf(other, best) - rankOf(one, best))
      .flatMap(({ result, relevance }) => {
        const passage = this.#passages[result.id as number]
        return passage ? [{ ...passage, relevance }] : []
      })
  }

  /** Headings to ask about: the nearest to the query first, then one document after the other. */
  topics(query: string, limit: number): string[] {
    const near = this.rank(query, limit).flatMap(({ heading, relevance }) => (relevance >= MIN_TOPIC_RELEVANCE ? heading : []))
    return [...new Set([...near, ...this.#headingsInTurn()])].slice(0, limit)
  }

  #headingsInTurn(): string[] {
    const documents = [...Map.groupBy(this.#passages, (passage) => passage.file).values()]
    const longest = Math.max(0, ...documents.map((passages) => passages.length))
    const turns = Array.from({ length: longest }, (_, turn) => documents.flatMap((passages) => passages[turn] ?? []))
    const headings = turns.flat().filter((passage) => passage.heading !== passage.title)
    return headings.map((passage) => passage.heading)
  }

  #count(passage: Passage): void {
    for (const term of new Set(termsOf(Object.values(passage).join(' ')))) {
      this.#frequencies.set(term, (this.#frequencies.get(term) ?? 0) + 1)
    }
  }

  #relevance(terms: readonly string[], result: SearchResult): number {
    let matched = 0
    let total = 0
    for (const term of terms) {
      const weight = this.#weightOf(term)
      total += weight
      matched += weight * worthOf(term, result)
    }
    return total === 0 ? 0 : matched / total
  }

  // A word that no passage has is the rarest of all: a question about it is not answered here.
  #weightOf(term: string): number {
    return Math.log(1 + this.#passages.length / (1 + (this.#frequencies.get(term) ?? 0)))
  }
}

function termsOf(text: string): string[] {
  return [...new Set(wordsOf(text).map(termOf))].filter((term) => term !== null)
}

/** A heading sent as a prompt means that passage, even if all its words are common ones. */
function plainText(text: string): string {
  return wordsOf(text).join(' ').toLowerCase()
}

function rankOf({ result, relevance }: { result: SearchResult; relevance: number }, best: number): number {
  return relevance + result.score / best
}

function worthOf(term: string, result: SearchResult): number {
  let worth = 0
  for (const found of result.terms) {
    const kind = kindOf(term, found)
    if (kind === undefined) continue
    for (const field of result.match[found] ?? [])
      worth = Math.max(worth, WORTH[kind] * (FIELD_WORTH[field as keyof typeof FIELD_WORTH] ?? 0))
  }
  return worth
}

function kindOf(term: string, found: string): keyof typeof WORTH | undefined {
  if (found === term) return 'exact'
  if (term.length >= MIN_PREFIX_CHARACTERS && found.startsWith(term)) return 'prefix'
  // People hardly mistype the first letter; words that differ in it are mostly other words.
  const mayBeTypo = term.length >= MIN_FUZZY_CHARACTERS && found[0] === term[0] && Math.abs(found.length - term.length) <= 2
  return mayBeTypo && isNear(term, found) ? 'fuzzy' : undefined
}

const MAX_EDITS_SHARE = 0.2

/** Whether two words are as few edits apart as the search allows. */
function isNear(one: string, other: string): boolean {
  const allowed = Math.round(one.length * MAX_EDITS_SHARE)
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return (previous[other.length] ?? Number.POSITIVE_INFINITY) <= allowed
}
