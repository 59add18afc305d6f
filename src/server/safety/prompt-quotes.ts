/** A text that answers may not quote. */
export interface ConfidentialText {
  text: string
  /** Consecutive words that are a quote. Characters of scripts without spaces count half. */
  words: number
}

/** A word in digits alone is left out: lists number what they quote. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}'’])+/gu
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u
/** A word that more text may continue. */
const OPEN_WORD = /[\p{L}\p{M}\p{N}'’]+$/u
const MAX_WORD_CHARACTERS = 100

interface Word {
  text: string
  /** Position in the written text. */
  at: number
}

/** The words of the texts of a system prompt that answers may not quote. */
export class PromptQuotes {
  readonly #words: string[] = []
  /** Words that are a quote, by position. */
  readonly #needed: number[] = []
  readonly #positions = new Map<string, number[]>()

  constructor(texts: readonly ConfidentialText[]) {
    for (const { text, words: needed } of texts) {
      // Separates the texts: no word of an answer is empty.
      this.#add('', needed)
      for (const word of wordsOf(text)) this.#add(word, needed)
    }
  }

  #add(word: string, needed: number): void {
    const position = this.#words.push(word) - 1
    this.#needed.push(needed)
    const positions = this.#positions.get(word)
    if (positions) positions.push(position)
    else this.#positions.set(word, [position])
  }

  /** Lengths, in words, of the passages that end with this word, by position; `before`: those that end with the word before it. */
  continued(before: ReadonlyMap<number, number>, word: string): Map<number, number> {
    return new Map((this.#positions.get(word) ?? []).map((position) => [position, (before.get(position - 1) ?? 0) + 1]))
  }

  /** The passage of so many words, if that is a quote; `null` if it is too short. */
  quoteAt(position: number, length: number): string | null {
    const words = this.#words.slice(position - length + 1, position + 1)
    const weight = words.reduce((sum, word) => sum + (UNSPACED.test(word) ? 0.5 : 1), 0)
    return weight >= (this.#needed[position] ?? Number.POSITIVE_INFINITY) ? words.join(' ') : null
  }
}

/** Finds quotes in a text that arrives in pieces, and says how much of it can be shown. */
export class QuoteFinder {
  readonly #quotes: PromptQuotes
  readonly #isPublic: (quote: string) => boolean
  /** Text that was not returned yet. */
  #pending = ''
  /** Position of `#pending` in the whole text. */
  #pendingAt = 0
  /** The last word as far as it is written. */
  #open = ''
  #matches: ReadonlyMap<number, number> = new Map()
  #longest = 0
  #recent: Word[] = []
  /** Whether the text quotes. Nothing more is returned then. */
  isQuote = false

  /** @param isPublic Whether visitors may read these words (as `normalizedWords` returns them) anyway. */
  constructor(quotes: PromptQuotes, isPublic: (quote: string) => boolean) {
    this.#quotes = quotes
    this.#isPublic = isPublic
  }

  /** Accepts text and returns what can be shown: all but words that are, or may become, a quote. */
  write(delta: string): string {
    this.#pending += delta
    const text = this.#open + delta
    const textAt = this.#pendingAt + this.#pending.length - text.length
    this.#open = (OPEN_WORD.exec(text.slice(-MAX_WORD_CHARACTERS))?.[0] ?? '').replace(
      /^.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
      '',
    )
    this.#read(text.slice(0, text.length - this.#open.length), textAt)
    return this.#release(this.#longest > 1 ? (this.#recent.at(-this.#longest)?.at ?? 0) : Number.POSITIVE_INFINITY)
  }

  /** Returns the rest as far as it can be shown. */
  end(): string {
    const open = this.#open
    this.#open = ''
    this.#read(open, this.#pendingAt + this.#pending.length - open.length)
    if (this.isQuote) return this.#release(this.#recent.at(-this.#longest)?.at ?? 0)
    this.#matches = new Map()
    this.#longest = 0
    return this.#release(Number.POSITIVE_INFINITY)
  }

  #release(end: number): string {
    const text = this.#pending.slice(0, Math.max(0, end - this.#pendingAt))
    this.#pending = this.#pending.slice(text.length)
    this.#pendingAt += text.length
    return text
  }

  #read(text: string, textAt: number): void {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (this.isQuote) return
      const normal = normalizedWord(word)
      if (normal !== '') this.#readWord({ text: normal, at: textAt + index })
    }
  }

  #readWord(word: Word): void {
    this.#matches = this.#quotes.continued(this.#matches, word.text)
    this.#longest = Math.max(0, ...this.#matches.values())
    this.#recent = [...this.#recent, word].slice(-Math.max(1, this.#longest))
    for (const [position, length] of this.#matches) {
      const quote = this.#quotes.quoteAt(position, length)
      if (quote === null) continue
      this.isQuote = !this.#isPublic(quote)
      if (this.isQuote) return
      this.#matches = new Map()
      this.#longest = 0
      return
    }
  }
}

/** The words of a text as quotes are compared, with a space between. */
export function normalizedWords(text: string): string {
  return wordsOf(text).join(' ')
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map(normalizedWord).filter((word) => word !== '')
}

function normalizedWord(word: string): string {
  return /^\p{N}+$/u.test(word)
    ? ''
    : word
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll('’', "'")
        .replace(/^'+|'+$/g, '')
}
