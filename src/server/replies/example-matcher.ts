import type { ContentWord, ContentWordReader } from './content-words.ts'

/** Examples that a prompt is compared with. */
export interface MatchableExamples {
  examples: readonly string[]
  /** Words or phrases whose occurrence is enough. */
  keywords: readonly string[]
}

/** Similarity from which an example matches. */
const THRESHOLD = 0.6
/** Score of a keyword. */
const KEYWORD_SCORE = 0.7

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
  readonly #examples: TextsByStem
  readonly #keywords: (readonly ContentWord[])[]

  constructor(reader: ContentWordReader, { examples, keywords }: MatchableExamples) {
    const read = (text: string) => readText(reader.read(text))
    this.#examples = new TextsByStem(examples.map(read))
    this.#keywords = keywords.map((text) => reader.read(text)).filter((phrase) => phrase.length > 0)
  }

  /** How well a prompt matches, from 0 to 1; 0 below the threshold. */
  score(prompt: readonly ReadText[]): number {
    return Math.max(0, ...prompt.map((text) => this.#scoreOf(text)))
  }

  #scoreOf(text: ReadText): number {
    const keyword = this.#keywords.some((phrase) => phrase.every((word) => isIn(text, word)))
    const example = this.#examples.closest(text)
    const score = Math.max(example, keyword ? KEYWORD_SCORE : 0)
    return score < THRESHOLD ? 0 : score
  }
}

function readText(words: readonly ContentWord[]): ReadText {
  return { words, stems: new Set(words.flat()) }
}

/** Texts by the stems that they contain, so that a prompt is compared only with those that it shares a word with. */
class TextsByStem {
  readonly #texts = new Map<string, ReadText[]>()

  constructor(texts: readonly ReadText[]) {
    for (const text of texts) {
      for (const stem of text.stems) {
        const others = this.#texts.get(stem)
        if (others) others.push(text)
        else this.#texts.set(stem, [text])
      }
    }
  }

  /** The similarity of the text that is most similar; 0 for none. */
  closest(text: ReadText): number {
    const compared = new Set<ReadText>()
    let best = 0
    for (const stem of text.stems) {
      for (const other of this.#texts.get(stem) ?? []) {
        if (compared.has(other)) continue
        compared.add(other)
        best = Math.max(best, similarity(text, other))
      }
    }
    return best
  }
}

/** Share of the words that two texts have in common, from 0 to 1. */
export function similarity(one: ReadText, other: ReadText): number {
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
