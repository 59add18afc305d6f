import { readTextFile } from '../../knowledge/sources/read-regular-file.ts'
import { type EndpointSettings, type Flags, moderationEndpoint } from './moderation-endpoint.ts'
import { WordList } from './word-list.ts'

/** `unavailable`: it could not be checked, and the operator wants nothing unchecked. */
export type Verdict = 'allowed' | 'blocked' | 'unavailable'

export interface ModerationSettings {
  endpoint: EndpointSettings | null
  /** Who receives texts, in words; null when nobody does. */
  checkedBy: string | null
  /** File of words. */
  wordsFile: string | null
  /** What becomes of a text while the endpoint is away: nothing unless it is checked, or it passes. */
  whenAway: 'closed' | 'open'
}

export interface ModeratorParts {
  words: WordList | null
  flags: Flags | null
  whenAway: ModerationSettings['whenAway']
  /** Hears once when the endpoint goes away, and once when it is back. */
  onWarning: (message: string, cause?: unknown) => void
}

const MAX_WORDS_FILE_BYTES = 256 * 1024

/** Says what may be sent to a model and what may be shown of its answer. */
export class Moderator {
  readonly #parts: ModeratorParts
  #isAway = false

  constructor(parts: ModeratorParts) {
    this.#parts = parts
  }

  /** Throws for a file of words that cannot be read or used; the message says why, and no word. */
  static async open({ endpoint, wordsFile, whenAway }: ModerationSettings, onWarning: ModeratorParts['onWarning']): Promise<Moderator> {
    const words = wordsFile === null ? null : new WordList(await readTextFile(wordsFile, MAX_WORDS_FILE_BYTES))
    return new Moderator({ words, flags: endpoint && moderationEndpoint(endpoint), whenAway, onWarning })
  }

  /** So many characters at the end of a text that grows are not yet judged: a phrase may be going on. */
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
    if (!isAway) onWarning('The moderation answers again')
    else onWarning(`The moderation does not answer: texts ${whenAway === 'open' ? 'pass unchecked' : 'are refused'}`, cause)
  }
}
