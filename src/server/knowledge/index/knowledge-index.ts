import MiniSearch, { type AsPlainObject, type SearchResult } from 'minisearch'
import type { Passage } from '../ingestion/passages.ts'
import { Synonyms } from './synonyms.ts'
import { Terms, wordsOf } from './terms.ts'

export interface RankedPassage extends Passage {
  /** Of the passage in its index. */
  id: number
  /** 0 to 1: how much of what was asked the passage speaks of, rare words counting more. */
  relevance: number
  /** BM25: the sum over the query's terms of inverse document frequency times saturated frequency, not normalised. */
  score: number
}

/** How many candidates are looked at more closely. */
const MAX_CANDIDATES = 20
const MIN_FUZZY_CHARACTERS = 4
/** Letters that may differ in a word that was mistyped. */
const MAX_EDITS_SHARE = 0.2
const MIN_PREFIX_CHARACTERS = 4
/** What a match is worth, by its kind. */
const WORTH = { exact: 1, prefix: 0.85, fuzzy: 0.75 }
/** A word in the heading says what a passage is about; one in its text may be there by chance. */
const FIELD_WORTH = { heading: 1, keywords: 1, title: 0.75, text: 0.7 }
/** A passage from this on is near enough to be offered as a topic. */
const MIN_TOPIC_RELEVANCE = 0.3

const BOOST = { heading: 4, keywords: 3, title: 1.5, text: 1 }
/** From so many passages on, words are only looked for in other forms when nobody wrote them in this one. */
const LARGE = 5_000
/** So many passages are looked at for one search; of a large index, that leaves the commonest words out. */
const MAX_MATCHES = 4_000
/** Terms that a word which nobody wrote may stand for in a large index. */
const MAX_NEAR = 5
/** Headings that are offered are of the first passages. */
const MAX_OFFERED = 2_000

/** What an index is made of, for the structured clone algorithm. */
export interface StoredIndex {
  search: AsPlainObject
  passages: Map<number, Passage>
  frequencies: Map<string, number>
  nextId: number
}

export interface RankOptions {
  limit: number
  /** Whether a file may be looked into; all of them unless told. */
  isOpen?: (file: string) => boolean
}

/** Finds passages by words: with other endings, with typos, ranked. */
export class KnowledgeIndex {
  readonly #terms: Terms
  #synonyms: Synonyms
  readonly #search: MiniSearch
  readonly #passages: Map<number, Passage>
  /** In how many passages a term occurs. */
  readonly #frequencies: Map<string, number>
  readonly #byHeading = new Map<string, number[]>()
  /** All terms, by the first letter, which people hardly mistype. */
  readonly #byLetter = new Map<string, Set<string>>()
  #nextId: number

  constructor(terms: Terms = new Terms(), synonyms: Synonyms = new Synonyms(terms), stored?: StoredIndex) {
    this.#terms = terms
    this.#synonyms = synonyms
    const options = {
      fields: ['heading', 'keywords', 'title', 'text'],
      tokenize: wordsOf,
      processTerm: (word: string) => terms.of(word) as string[],
    }
    this.#search = stored ? MiniSearch.loadJS(stored.search, options) : new MiniSearch(options)
    this.#passages = stored?.passages ?? new Map<number, Passage>()
    this.#frequencies = stored?.frequencies ?? new Map<string, number>()
    this.#nextId = stored?.nextId ?? 0
    for (const [id, { heading }] of this.#passages) this.#addHeading(heading, id)
    for (const term of this.#frequencies.keys()) this.#lettersOf(term).add(term)
  }

  get size(): number {
    return this.#passages.size
  }

  passage(id: number): Passage | undefined {
    return this.#passages.get(id)
  }

  /** All passages, by their ids. */
  passages(): ReadonlyMap<number, Passage> {
    return this.#passages
  }

  /** From here on other words mean the same. */
  useSynonyms(synonyms: string): void {
    this.#synonyms = new Synonyms(this.#terms, synonyms)
  }

  /** As it is to be kept; to be given to the constructor with the same terms. */
  stored(): StoredIndex {
    return { search: this.#search.toJSON(), passages: this.#passages, frequencies: this.#frequencies, nextId: this.#nextId }
  }

  /** Returns the ids under which they can be removed. */
  add(passages: readonly Passage[]): number[] {
    return passages.map((passage) => {
      const id = this.#nextId++
      this.#passages.set(id, passage)
      this.#search.add({ ...passage, id })
      this.#count(passage, 1)
      this.#addHeading(passage.heading, id)
      return id
    })
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const passage = this.#passages.get(id)
      if (!passage) continue
      this.#passages.delete(id)
      this.#search.discard(id)
      this.#count(passage, -1)
      const key = plainText(passage.heading)
      this.#byHeading.set(key, this.#byHeading.get(key)?.filter((other) => other !== id) ?? [])
    }
  }

  /** Best first. Every passage that shares a word with the query, relevant or not. */
  rank(query: string, { limit, isOpen = () => true }: RankOptions): RankedPassage[] {
    const named = this.#named(query, isOpen)
    const found = this.#found(query, isOpen).filter((passage) => passage.heading !== named?.heading)
    const most = found.reduce((best, { score }) => Math.max(best, score), 1)
    return (named ? [{ ...named, relevance: 1, score: 2 * most }, ...found] : found).slice(0, limit)
  }

  /** Headings to ask about: the nearest to the query first, then one document after the other. */
  topics(query: string, { limit, isOpen = () => true }: RankOptions): string[] {
    const near = this.rank(query, { limit, isOpen }).flatMap(({ heading, relevance }) => (relevance >= MIN_TOPIC_RELEVANCE ? heading : []))
    return [...new Set([...near, ...this.#headingsInTurn(isOpen)])].slice(0, limit)
  }

  #named(query: string, isOpen: (file: string) => boolean): Omit<RankedPassage, 'relevance' | 'score'> | undefined {
    const ids = this.#byHeading.get(plainText(query)) ?? []
    const id = ids.find((one) => isOpen(this.#passages.get(one)?.file ?? ''))
    const passage = id === undefined ? undefined : this.#passages.get(id)
    return id !== undefined && passage ? { ...passage, id } : undefined
  }

  #found(query: string, isOpen: (file: string) => boolean): RankedPassage[] {
    const words = this.#wordsOf(query)
    const sought = this.#worthSeeking(words.flat())
    if (sought.length === 0) return []
    const isLarge = this.size >= LARGE
    const results = this.#search
      .search(sought.join(' '), {
        tokenize: (text) => text.split(' '),
        processTerm: (term) => term,
        boost: BOOST,
        prefix: (term) => term.length >= MIN_PREFIX_CHARACTERS && !isLarge,
        fuzzy: (term) => (term.length >= MIN_FUZZY_CHARACTERS && !isLarge ? MAX_EDITS_SHARE : false),
        combineWith: 'OR',
        filter: ({ id }) => isOpen(this.#passages.get(id as number)?.file ?? ''),
      })
      .slice(0, MAX_CANDIDATES)
    const best = results[0]?.score ?? 1
    return results
      .map((result) => ({ result, relevance: this.#relevance(words, result) }))
      .toSorted((one, other) => rankOf(other, best) - rankOf(one, best))
      .flatMap(({ result, relevance }) => {
        const passage = this.#passages.get(result.id as number)
        return passage ? [{ ...passage, id: result.id as number, relevance, score: result.score }] : []
      })
  }

  /** The words of a query that say something, each with the terms that stand for it. */
  #wordsOf(query: string): string[][] {
    const words = wordsOf(query).map((word) => this.#synonyms.expand(this.#terms.of(word)))
    const known = new Set<string>()
    return words.filter(([first]) => {
      if (first === undefined || known.has(first)) return false
      known.add(first)
      return true
    })
  }

  /** The rarest terms, as many as can be looked for in time; those that nobody wrote are looked for in other forms. */
  #worthSeeking(terms: readonly string[]): string[] {
    if (this.size < LARGE) return [...new Set(terms)]
    const written = terms.flatMap((term) => (this.#frequencies.has(term) ? term : this.#near(term)))
    let matches = 0
    return this.#rarestFirst(new Set(written)).filter((term, index) => {
      matches += this.#frequencyOf(term)
      return index === 0 || matches <= MAX_MATCHES
    })
  }

  /** Terms that somebody wrote and that this one may stand for: with another ending, or with a typo. */
  #near(term: string): string[] {
    const near = [...this.#lettersOf(term)].filter((found) => kindOf(term, found) !== undefined)
    return this.#rarestFirst(near).slice(0, MAX_NEAR)
  }

  #rarestFirst(terms: Iterable<string>): string[] {
    return [...terms].toSorted((one, other) => this.#frequencyOf(one) - this.#frequencyOf(other))
  }

  #headingsInTurn(isOpen: (file: string) => boolean): string[] {
    const offered: Passage[] = []
    for (const passage of this.#passages.values()) {
      if (isOpen(passage.file)) offered.push(passage)
      if (offered.length >= MAX_OFFERED) break
    }
    const documents = [...Map.groupBy(offered, (passage) => passage.file).values()]
    const longest = Math.max(0, ...documents.map((passages) => passages.length))
    const turns = Array.from({ length: longest }, (_, turn) => documents.flatMap((passages) => passages[turn] ?? []))
    const headings = turns.flat().filter((passage) => passage.heading !== passage.title)
    return headings.map((passage) => passage.heading)
  }

  /** The terms with the same first letter. */
  #lettersOf(term: string): Set<string> {
    const [first = ''] = term
    const terms = this.#byLetter.get(first) ?? new Set<string>()
    this.#byLetter.set(first, terms)
    return terms
  }

  #addHeading(heading: string, id: number): void {
    const key = plainText(heading)
    const ids = this.#byHeading.get(key)
    if (ids) ids.push(id)
    else this.#byHeading.set(key, [id])
  }

  #count({ title, file, heading, text, keywords }: Passage, by: 1 | -1): void {
    const words = wordsOf([title, file, heading, text, keywords].join(' '))
    for (const term of new Set(words.flatMap((word) => this.#terms.of(word)))) {
      const count = (this.#frequencies.get(term) ?? 0) + by
      if (count > 0) this.#frequencies.set(term, count)
      else this.#frequencies.delete(term)
      if (count === by) this.#lettersOf(term).add(term)
      if (count === 0) this.#lettersOf(term).delete(term)
    }
  }

  #relevance(words: readonly string[][], result: SearchResult): number {
    let matched = 0
    let total = 0
    for (const terms of words) {
      const weight = this.#weightOf(terms)
      total += weight
      matched += weight * Math.max(...terms.map((term) => worthOf(term, result)))
    }
    return total === 0 ? 0 : matched / total
  }

  // A word that no passage has is the rarest of all: a question about it is not answered here.
  #weightOf(terms: readonly string[]): number {
    return Math.log(1 + this.size / (1 + Math.max(...terms.map((term) => this.#frequencyOf(term)))))
  }

  #frequencyOf(term: string): number {
    return this.#frequencies.get(term) ?? 0
  }
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
    // It can only become more.
    if (Math.min(...current.slice(1)) > allowed) return false
    previous = current
  }
  return (previous[other.length] ?? Number.POSITIVE_INFINITY) <= allowed
}
