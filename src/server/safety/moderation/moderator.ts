import { readTextFile } from '../../knowledge/files/read-regular-file.ts'
import { type EndpointSettings, type Flags, moderationEndpoint } from './moderation-endpoint.ts'

const MAX_PHRASES = 10_000
const MAX_PHRASE_CHARACTERS = 100

/** Blocked words and phrases, one per line. Ignores case, Unicode form and the characters between words. Matches whole words only. */
export class WordList {
  /** Phrases as words, by first word. */
  readonly #phrases = new Map<string, string[][]>()
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

/** `unavailable`: the text could not be checked, and unchecked text must not pass. */
export type Verdict = 'allowed' | 'blocked' | 'unavailable'

export interface ModerationSettings {
  endpoint: EndpointSettings | null
  /** Name of the service that receives texts; `null` for none. */
  checkedBy: string | null
  wordsFile: string | null
  /** While the endpoint is unavailable, `open` lets text pass and `closed` doesn't. */
  whenAway: 'closed' | 'open'
}

export interface ModeratorParts {
  words: WordList | null
  flags: Flags | null
  whenAway: ModerationSettings['whenAway']
  /** Called when the endpoint becomes unavailable, and when it is available again. */
  onWarning: (message: string, cause?: unknown) => void
}

const MAX_WORDS_FILE_BYTES = 256 * 1024

export class Moderator {
  readonly #parts: ModeratorParts
  #isAway = false

  constructor(parts: ModeratorParts) {
    this.#parts = parts
  }

  /** Throws if the word list is unreadable or invalid; the message contains none of its words. */
  static async open({ endpoint, wordsFile, whenAway }: ModerationSettings, onWarning: ModeratorParts['onWarning']): Promise<Moderator> {
    const words = wordsFile === null ? null : new WordList(await readTextFile(wordsFile, MAX_WORDS_FILE_BYTES))
    return new Moderator({ words, flags: endpoint && moderationEndpoint(endpoint), whenAway, onWarning })
  }

  /** Characters at the end of a growing text that may be the start of a phrase. */
  get undecidedCharacters(): number {
    return this.#parts.words?.longest ?? 0
  }

  async check(text: string, signal?: AbortSignal): Promise<Verdict> {
    const { words, flags, whenAway } = this.#parts
    if (text.trim() === '') return 'allowed'
    if (words?.isIn(text)) return 'blocked'
    if (!flags) return 'allowed'
    try {
      const isFlagged = await flags(text, signal)
      this.#setAway(false)
      return isFlagged ? 'blocked' : 'allowed'
    } catch (cause) {
      if (!signal?.aborted) this.#setAway(true, cause)
      return whenAway === 'open' ? 'allowed' : 'unavailable'
    }
  }

  #setAway(isAway: boolean, cause?: unknown): void {
    if (isAway === this.#isAway) return
    this.#isAway = isAway
    const { whenAway, onWarning } = this.#parts
    if (!isAway) onWarning('The moderation endpoint is available again')
    else
      onWarning(
        `The moderation endpoint is unavailable; ${whenAway === 'open' ? 'passing text unchecked' : 'blocking all text'} until it responds`,
        cause,
      )
  }
}
