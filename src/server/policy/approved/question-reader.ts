import type { PageLanguage } from '../../../contract/page-languages.ts'
import type { StemmerLanguage } from '../../../contract/stemmer-languages.ts'
import { fold } from '../../../text/fold.ts'
import { Analyzer, tokensOf } from '../../knowledge/index/analyzer.ts'
import { REQUEST_WORDS } from '../content-words.ts'
import type { ReadText } from '../example-matcher.ts'
import { IMPLIED, LEXICONS, type Lexicon, QUESTION_KINDS, type QuestionKind } from './paraphrase-lexicon.ts'

const STEMMED: Partial<Record<PageLanguage, StemmerLanguage>> = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  ru: 'russian',
}
/** A question is short; a longer prompt says more than an approved answer answers. */
export const MAX_QUESTION_CHARACTERS = 300
const MAX_PHRASE_WORDS = 7
const MIN_COMPOUND_PART = 4

/** What a question says: the words that carry meaning, and what turns its meaning around. */
export interface ReadQuestion extends ReadText {
  numbers: ReadonlySet<string>
  isNegated: boolean
  isPast: boolean
}

interface Entry {
  /** Names of the groups of synonyms. */
  concepts: string[]
  kinds: Set<QuestionKind>
  role?: 'negation' | 'past' | 'qualifier' | 'filler' | 'number'
}

/** Reads questions in some languages. Words of other languages carry meaning. */
export class QuestionReader {
  readonly #analyzer: Analyzer
  readonly #entries = new Map<string, Entry>()

  private constructor(analyzer: Analyzer, lexicons: readonly Lexicon[]) {
    this.#analyzer = analyzer
    for (const lexicon of lexicons) this.#add(lexicon)
  }

  static async open(languages: readonly PageLanguage[]): Promise<QuestionReader> {
    const analyzer = await Analyzer.of(languages.flatMap((language) => STEMMED[language] ?? []))
    return new QuestionReader(
      analyzer,
      languages.flatMap((language) => LEXICONS[language] ?? []),
    )
  }

  read(text: string): ReadQuestion {
    const tokens = tokensOf(text.slice(0, MAX_QUESTION_CHARACTERS)).map(fold)
    const words = new Map<string, readonly string[]>()
    const numbers = new Set<string>()
    const kinds = new Set<QuestionKind>()
    let [isNegated, isPast] = [false, false]
    let isFirst = true
    for (let at = 0; at < tokens.length; ) {
      const { key, length } = this.#longest(tokens, at)
      at += length
      const entry = this.#entries.get(key)
      for (const kind of entry?.kinds ?? []) if (kind !== 'whether' || isFirst) kinds.add(kind)
      if (entry?.role === 'negation') isNegated = true
      if (entry?.role === 'past') isPast = true
      if (entry?.role === 'number' || /\p{N}/u.test(key)) numbers.add(key)
      const word = this.#wordOf(key, entry)
      if (word) words.set(word[0] ?? '', word)
      if (entry?.role !== 'filler' && !REQUEST_WORDS.has(key)) isFirst = false
    }
    for (const kind of kindsAskedFor(kinds, words)) words.set(kind, [kind])
    for (const name of words.keys()) for (const implied of IMPLIED[name] ?? []) words.delete(implied)
    const read = [...words.values()]
    return { words: read, stems: new Set(read.flat()), numbers, isNegated, isPast }
  }

  /** The longest phrase of the lexicon that begins here, else one word. */
  #longest(tokens: readonly string[], at: number): { key: string; length: number } {
    for (let length = Math.min(MAX_PHRASE_WORDS, tokens.length - at); length > 1; length -= 1) {
      const key = tokens.slice(at, at + length).join(' ')
      if (this.#entries.has(key)) return { key, length }
    }
    return { key: tokens[at] ?? '', length: 1 }
  }

  /** `null` for words without meaning of their own. */
  #wordOf(key: string, entry: Entry | undefined): readonly string[] | null {
    if (entry && entry.concepts.length > 0) return entry.concepts
    if (entry?.role === 'qualifier') return [`+${key}`]
    if (entry || REQUEST_WORDS.has(key) || this.#analyzer.isStopWord(key)) return null
    const stems = this.#analyzer.stemsOf(key)
    return stems.length > 0 ? stems : null
  }

  /** The parts of a compound such as "Passgebühr", one of which is among `known`; `null` if it isn't one. */
  partsOf(stem: string, known: ReadonlySet<string>): readonly (readonly string[])[] | null {
    for (let at = MIN_COMPOUND_PART; at <= stem.length - MIN_COMPOUND_PART; at += 1) {
      const head = this.#partOf(stem.slice(0, at)) ?? this.#partOf(stem.slice(0, at).replace(/s$/, ''))
      const tail = this.#partOf(stem.slice(at))
      if (head && tail && [head, tail].every((part) => part.some((one) => known.has(one)))) return [head, tail]
    }
    return null
  }

  #partOf(part: string): readonly string[] | null {
    return part.length < MIN_COMPOUND_PART ? null : this.#wordOf(part, this.#entries.get(part))
  }

  #add({ synonyms, kinds, negation, past, qualifiers, fillers, numbers }: Lexicon): void {
    const each = (words: string, change: (entry: Entry) => void) => {
      for (const word of words.split(',')) change(this.#entry(tokensOf(word).map(fold).join(' ')))
    }
    for (const [name, words] of Object.entries(synonyms)) each(words, ({ concepts }) => concepts.push(`=${name}`))
    for (const kind of QUESTION_KINDS) each(kinds[kind] ?? '', (entry) => entry.kinds.add(kind))
    const roles = { filler: fillers, qualifier: qualifiers, number: numbers, past, negation } as const
    for (const role of ['filler', 'qualifier', 'number', 'past', 'negation'] as const) each(roles[role], (entry) => (entry.role = role))
  }

  #entry(key: string): Entry {
    const entry = this.#entries.get(key) ?? { concepts: [], kinds: new Set<QuestionKind>() }
    if (key !== '') this.#entries.set(key, entry)
    return entry
  }
}

/** The kinds of a question as words: a more specific kind or a concept replaces a general one. */
function kindsAskedFor(kinds: ReadonlySet<QuestionKind>, words: ReadonlyMap<string, unknown>): string[] {
  const isAmountOfMoney = kinds.has('amount') && !['=support', '=discount'].some((name) => words.has(name))
  const hasConcept = [...words.keys()].some((name) => name.startsWith('='))
  return [...kinds].flatMap((kind) => {
    if (kind === 'amount' && isAmountOfMoney) return '=price'
    // "Can you tell me when …" asks when, and "What is the price of …" for the price.
    if ((kind === 'whether' && kinds.size > 1) || (kind === 'what' && (kinds.size > 1 || hasConcept))) return []
    return `?${kind}`
  })
}
