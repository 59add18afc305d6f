/** What a list may hold; more is a mistake. */
const MAX_PHRASES = 10_000
const MAX_PHRASE_CHARACTERS = 100

/** Words and phrases that may not be said, one a line. Case, form and what stands between words do not count; parts of words do not either. */
export class WordList {
  /** The words of each phrase, by the first. */
  readonly #phrases = new Map<string, string[][]>()
  /** Characters of the longest phrase. */
  readonly longest: number

  /** Lines that are empty or begin with `#` say nothing. Throws for a list without a phrase, or with too much. */
  constructor(text: string) {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
    const phrases = lines.map(wordsOf).filter((words) => words.length > 0)
    if (phrases.length === 0) throw new RangeError('it has no word')
    if (phrases.length > MAX_PHRASES) throw new RangeError(`it has more than ${MAX_PHRASES} lines`)
    const tooLong = lines.find((line) => line.length > MAX_PHRASE_CHARACTERS)
    if (tooLong !== undefined) throw new RangeError(`a line has more than ${MAX_PHRASE_CHARACTERS} characters`)
    this.longest = Math.max(...lines.map((line) => line.length))
    for (const words of phrases) {
      const [first = ''] = words
      this.#phrases.set(first, [...(this.#phrases.get(first) ?? []), words])
    }
  }

  /** Whether one of them is in the text. */
  isIn(text: string): boolean {
    const words = wordsOf(text)
    return words.some((word, start) =>
      this.#phrases.get(word)?.some((phrase) => phrase.every((expected, offset) => words[start + offset] === expected)),
    )
  }
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      // What is not seen would part a word.
      .replaceAll(/\p{Cf}/gu, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}
