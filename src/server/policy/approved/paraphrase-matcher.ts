import { type ReadText, similarity } from '../example-matcher.ts'
import { OPTIONAL } from './paraphrase-lexicon.ts'
import type { QuestionReader, ReadQuestion } from './question-reader.ts'

/** Similarity from which a prompt asks the same as a paraphrase. */
const THRESHOLD = 0.6
/** Share of the paraphrases that contain a word above which a prompt must contain it. */
const CORE_SHARE = 0.75

/** A prompt in keywords doesn't say that it is a question. */
const WHETHER = '?whether'

/** The paraphrases of one answer, and prompts that only resemble them. */
export interface Paraphrases {
  /** At least one. */
  matches: readonly string[]
  mustNotMatch: readonly string[]
}

/**
 * Decides whether a prompt asks exactly what one of the paraphrases asks: the same numbers, negation, tense and kind of question, no
 * content word that none of them has, and every word that most of them have. None of `mustNotMatch` may be as close; one with a word that
 * no paraphrase has blocks a match only if it is closer.
 */
export class ParaphraseMatcher {
  readonly #reader: QuestionReader
  readonly #matches: readonly ReadQuestion[]
  /** Without a word that no paraphrase has. */
  readonly #counters: readonly ReadQuestion[]
  readonly #otherCounters: readonly ReadQuestion[]
  readonly #known: ReadonlySet<string>
  readonly #core: readonly (readonly string[])[]

  constructor(reader: QuestionReader, { matches, mustNotMatch }: Paraphrases) {
    this.#reader = reader
    const read = matches.map((text) => reader.read(text))
    const spoken = new Set(read.flatMap(({ words }) => (words.length > 1 ? words.flat() : [])))
    this.#matches = read.map((question) => withParts(reader, question, spoken))
    this.#known = new Set(this.#matches.flatMap(({ stems }) => [...stems]))
    const counters = mustNotMatch.map((text) => withParts(reader, reader.read(text), this.#known))
    const asksOnlyKnown = ({ words }: ReadText) => words.every((word) => has({ words, stems: this.#known }, word))
    this.#counters = counters.filter(asksOnlyKnown)
    this.#otherCounters = counters.filter((counter) => !asksOnlyKnown(counter))
    const words = new Map(this.#matches.flatMap((question) => question.words.map((word) => [word.join(), word])))
    const share = (word: readonly string[]) => this.#matches.filter((match) => has(match, word)).length / this.#matches.length
    this.#core = [...words.values()].filter((word) => !word.includes(WHETHER) && share(word) > CORE_SHARE)
  }

  /** How close a prompt is to the closest paraphrase, from 0 to 1; 0 if it asks something else. */
  score(prompt: ReadQuestion): number {
    const whole = withParts(this.#reader, prompt, this.#known)
    const words = whole.words.filter((word) => !word.every((stem) => OPTIONAL.has(stem) && !this.#known.has(stem)))
    const read = { ...whole, words, stems: new Set(words.flat()) }
    if (read.words.length === 0 || !read.words.every((word) => word.some((stem) => this.#known.has(stem)))) return 0
    const score = closest(
      read,
      this.#matches.filter((match) => agrees(read, match)),
    )
    if (score < 1 && !this.#core.every((word) => has(read, word))) return 0
    return score >= THRESHOLD && score > closest(read, this.#counters) && score >= closest(read, this.#otherCounters) ? score : 0
  }
}

function agrees(one: ReadQuestion, other: ReadQuestion): boolean {
  const sameNumbers = one.numbers.size === other.numbers.size && [...one.numbers].every((number) => other.numbers.has(number))
  return sameNumbers && one.isNegated === other.isNegated && one.isPast === other.isPast
}

function closest(read: ReadText, others: readonly ReadText[]): number {
  return others.reduce((best, other) => Math.max(best, similarity(read, other)), 0)
}

function has({ stems }: ReadText, word: readonly string[]): boolean {
  return word.some((stem) => stems.has(stem))
}

/** Replaces compounds that only here are one word by their parts. */
function withParts(reader: QuestionReader, question: ReadQuestion, known: ReadonlySet<string>): ReadQuestion {
  const words = question.words.flatMap((word) => {
    if (word.length === 0 || word.some((stem) => stem.startsWith('='))) return [word]
    // A stemmer may cut the second part short, so each stem is tried.
    for (const stem of word) {
      const parts = reader.partsOf(stem, known)
      if (parts) return parts
    }
    return [word]
  })
  return { ...question, words, stems: new Set(words.flat()) }
}
