import type { ContentWord, ContentWordReader } from './content-words.ts'

/** Examples that a prompt is compared with. */
export interface MatchableExamples {
  examples: readonly string[]
  /** Words or phrases whose occurrence is enough. */
  keywords: readonly string[]
}

/** Similarity from which an example matches. */
const THRESHOLD = 0.6

/** A text as its content words, and all their stems. */
export interface ReadText {
  words: readonly ContentWord[]
  stems: ReadonlySet<string>
}

/** A prompt and each of its sentences, read once for all matchers. */
export function readPrompt(reader: ContentWordReader, prompt: string): ReadText[] {
  return reader.readSentences(prompt).map(readText)
}

/** Decides whether a prompt means the same as one of the examples, by the words that carry meaning. Compares text only: no pattern is run. */
export class ExampleMatcher {
  readonly #examples: readonly ReadText[]
  readonly #keywords: (readonly ContentWord[])[]

  constructor(reader: ContentWordReader, { examples, keywords }: MatchableExamples) {
    const read = (text: string) => readText(reader.read(text))
    this.#examples = examples.map(read)
    this.#keywords = keywords.map((text) => reader.read(text)).filter((phrase) => phrase.length > 0)
  }

  matches(prompt: readonly ReadText[]): boolean {
    const isSaid = (text: ReadText) => this.#keywords.some((phrase) => phrase.every((word) => isIn(text, word)))
    const isMeant = (text: ReadText) => this.#examples.some((example) => similarity(text, example) >= THRESHOLD)
    return prompt.some((text) => isSaid(text) || isMeant(text))
  }
}

function readText(words: readonly ContentWord[]): ReadText {
  return { words, stems: new Set(words.flat()) }
}

/** Share of the words that two texts have in common, from 0 to 1. */
function similarity(one: ReadText, other: ReadText): number {
  const total = one.words.length + other.words.length
  return total === 0 ? 0 : (countIn(other, one.words) + countIn(one, other.words)) / total
}

function countIn(text: ReadText, words: readonly ContentWord[]): number {
  let count = 0
  for (const word of words) if (isIn(text, word)) count += 1
  return count
}

function isIn({ stems }: ReadText, word: ContentWord): boolean {
  return word.some((stem) => stems.has(stem))
}
