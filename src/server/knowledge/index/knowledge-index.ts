import { stemsOf, termsOf, tokensOf } from './analyzer.ts'
import { ALL_LANGUAGES, isStopWord, type Language, stemmerLanguageOf } from './grammars.ts'
import { type Passage, titleOfFile } from '../ingestion/passages.ts'
import { type IndexedDocument, type StoredPassages, PassageTable } from './passage-table.ts'
import { type PackedPostings, type PostingsList, type StoredPostings, Postings } from './postings.ts'
import { Vocabulary } from './vocabulary.ts'

const MAX_LINES = 5_000
const MAX_WORDS_A_LINE = 50
/** A language of fewer passages may be a mistake, and its stems would blur every short query. */
const MIN_LANGUAGE_SHARE = 0.02

/** The operator's synonyms: one group a line, separated by commas; `#` begins a comment. */
class Synonyms {
  readonly #groups = new Map<string, Set<string>>()

  constructor(text: string, languages: readonly Language[]) {
    for (const line of text.split('\n').slice(0, MAX_LINES)) {
      const group = new Set(
        tokensOf(line.replace(/#.*/, ''))
          .filter((token) => !isStopWord(token, languages))
          .slice(0, MAX_WORDS_A_LINE)
          .flatMap((token) => stemsOf(token, languages)),
      )
      for (const term of group) this.#groups.set(term, new Set([...group, ...(this.#groups.get(term) ?? [])]))
    }
  }

  expand(terms: readonly string[]): string[] {
    return [...new Set([...terms, ...terms.flatMap((term) => [...(this.#groups.get(term) ?? [])])])]
  }
}

/** BM25's influence of the length. */
const B = 0.75

/** Places of the short fields in the 16 bits of a posting. `heading` has headings inside the text too, `path` those above and the file's name. */
const FIELD_SHIFT = { heading: 8, path: 10, title: 12, keywords: 14 } as const
type ShortField = keyof typeof FIELD_SHIFT
/** How often a term occurs in the fields of a passage: 0 to 255 in the text, 0 to 3 in the others. */
type FieldCounts = Record<'body' | ShortField, number>
const MAX_BODY_COUNT = 0xff
const MAX_SHORT_COUNT = 3

export interface StoredIndex {
  terms: readonly string[]
  postings: StoredPostings
  passages: StoredPassages
}

export type PackedIndex = Omit<StoredIndex, 'postings'> & { postings: PackedPostings }

export function fieldCountsOf(weight: number): FieldCounts {
  const short = (field: ShortField) => (weight >>> FIELD_SHIFT[field]) & MAX_SHORT_COUNT
  return {
    body: weight & MAX_BODY_COUNT,
    heading: short('heading'),
    path: short('path'),
    title: short('title'),
    keywords: short('keywords'),
  }
}

export class KnowledgeIndex {
  #synonymText = ''
  #synonyms: { languages: string; groups: Synonyms } | null = null
  readonly #vocabulary: Vocabulary
  readonly #postings: Postings
  readonly #passages: PassageTable
  #norms: Float32Array | null = null

  constructor(stored?: StoredIndex) {
    this.#vocabulary = new Vocabulary(stored?.terms)
    this.#postings = new Postings(stored?.postings)
    this.#passages = new PassageTable(stored?.passages)
  }

  get size(): number {
    return this.#passages.size
  }

  /** One more than the highest number of a passage. */
  get capacity(): number {
    return this.#passages.capacity
  }

  get documents(): ReadonlyMap<string, IndexedDocument> {
    return this.#passages.documents
  }

  get synonyms(): Synonyms {
    const { languages } = this
    const key = languages.join()
    if (this.#synonyms?.languages !== key) this.#synonyms = { languages: key, groups: new Synonyms(this.#synonymText, languages) }
    return this.#synonyms.groups
  }

  /** Languages of many passages, and English. */
  get languages(): readonly Language[] {
    return ALL_LANGUAGES.filter((language) => language === 'english' || this.frequencyOf(markOf(language)) > this.size * MIN_LANGUAGE_SHARE)
  }

  /** The language of a query if its words tell and passages have it; else all of them. */
  languagesOfQuery(query: string): readonly Language[] {
    const language = stemmerLanguageOf(query)
    return language !== 'other' && this.frequencyOf(markOf(language)) > 0 ? [language] : this.languages
  }

  /** The language under which a passage's words are indexed. */
  languagesOf(passage: number): readonly Language[] {
    return ALL_LANGUAGES.filter((language) => this.weightOf(markOf(language), passage) !== undefined)
  }

  passage(number: number, document?: IndexedDocument): Passage | undefined {
    return this.#passages.passage(number, document)
  }

  placesOf(number: number): readonly IndexedDocument[] {
    return this.#passages.placesOf(number)
  }

  numberOf(id: string): number | undefined {
    return this.#passages.numberOf(id)
  }

  idOf(number: number): string {
    return this.#passages.id(number)
  }

  *passages(): Generator<[number, Passage]> {
    for (let number = 0; number < this.capacity; number += 1) {
      const passage = this.passage(number)
      if (passage) yield [number, passage]
    }
  }

  useSynonyms(synonyms: string): void {
    this.#synonymText = synonyms
    this.#synonyms = null
  }

  /** Adds passages of one file, to the end of those that it has. Returns the numbers of all of the file. */
  add(passages: readonly Passage[]): number[] {
    this.#norms = null
    return this.#passages.add(passages, (number, passage) => {
      const { weights, length } = weigh(passage)
      this.#addPostings(number, weights)
      return length
    })
  }

  /** Removes a file's passages, at most `limit` of them; one that another file has stays. Returns whether the file has more. */
  remove(file: string, limit = Number.POSITIVE_INFINITY): boolean {
    this.#norms = null
    return this.#passages.remove(file, limit, (number, before, after) => {
      for (const term of weigh(before).weights.keys()) {
        const known = this.#vocabulary.numberOf(term)
        if (known !== undefined) this.#postings.remove(known, number)
      }
      if (after) this.#addPostings(number, weigh(after).weights)
    })
  }

  #addPostings(number: number, weights: ReadonlyMap<string, number>): void {
    for (const [term, weight] of weights) this.#postings.add(this.#vocabulary.add(term), number, weight)
  }

  frequencyOf(term: string): number {
    const number = this.#vocabulary.numberOf(term)
    return number === undefined ? 0 : this.#postings.frequencyOf(number)
  }

  postingsOf(term: string): PostingsList | undefined {
    const number = this.#vocabulary.numberOf(term)
    return number === undefined ? undefined : this.#postings.listOf(number)
  }

  /** The packed field counts of a term in a passage; undefined if it is not there. See `fieldCountsOf`. */
  weightOf(term: string, passage: number): number | undefined {
    const number = this.#vocabulary.numberOf(term)
    return number === undefined ? undefined : this.#postings.weightOf(number, passage)
  }

  near(term: string, limit: number): { term: string; kind: 'prefix' | 'fuzzy' }[] {
    return this.#vocabulary.near(term, (number) => this.#postings.frequencyOf(number), limit)
  }

  /** 1 / (1 − b + b × length / average length) by passage, for BM25. */
  lengthNorms(): Float32Array {
    const normOf = (number: number) => 1 / (1 - B + (B * this.#passages.lengthOf(number)) / this.#passages.averageLength)
    return (this.#norms ??= Float32Array.from({ length: this.capacity }, (_, number) => normOf(number)))
  }

  /** The index without gaps, valid until the next change. */
  packed(): PackedIndex {
    const { passages, numbers } = this.#passages.stored()
    const { terms } = this.#vocabulary
    return { terms, postings: this.#postings.packed(terms.length, numbers), passages }
  }
}

/** A term of all passages of a language; no word looks like it. */
const markOf = (language: Language) => `<${language}>`

/** The terms of a passage with their packed counts, and how many tokens its text has. */
function weigh(passage: Passage): { weights: Map<string, number>; length: number } {
  const language = stemmerLanguageOf([passage.title, ...passage.path, passage.text].join('\n'))
  const weights = new Map([[markOf(language), 0]])
  const countBody = (term: string) => {
    const weight = weights.get(term) ?? 0
    if ((weight & MAX_BODY_COUNT) < MAX_BODY_COUNT) weights.set(term, weight + 1)
  }
  const countShort = (text: string, field: ShortField) => {
    for (const token of tokensOf(text))
      for (const term of termsOf(token, [language])) {
        const weight = weights.get(term) ?? 0
        if (((weight >>> FIELD_SHIFT[field]) & MAX_SHORT_COUNT) < MAX_SHORT_COUNT) weights.set(term, weight + (1 << FIELD_SHIFT[field]))
      }
  }
  const tokens = tokensOf(passage.text)
  for (const token of tokens) for (const term of termsOf(token, [language])) countBody(term)
  countShort([passage.heading, ...passage.subheadings].join('\n'), 'heading')
  countShort([...passage.path.filter((heading) => heading !== passage.heading), titleOfFile(passage.file)].join('\n'), 'path')
  countShort(passage.title, 'title')
  countShort(passage.keywords, 'keywords')
  return { weights, length: tokens.length }
}
