/** Bounds of a list. */
const MAX_PHRASES = 10_000
const MAX_PHRASE_CHARACTERS = 100

/** Blocked words and phrases, one per line. Ignores case, Unicode form and the characters between words. Matches whole words only. */
export class WordList {
  /** Phrases as words, by first word. */
  readonly #phrases = new Map<string, string[][]>()
  /** Length of the longest phrase. */
  readonly longest: number

  /** Ignores empty lines and lines that start with `#`. Throws for a list that is empty or too large. */
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

  /** Whether the text contains a phrase. */
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
      // Invisible characters would split a word.
      .replaceAll(/\p{Cf}/gu, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}
