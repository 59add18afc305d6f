import { normalizeText } from './normalize-text.ts'

/** Most words between two words of a phrase. */
const MAX_WORDS_BETWEEN = 2
/** Most characters between two pieces of a phrase. */
const MAX_CHARACTERS_BETWEEN = 12

/** Groups of alternative phrases of one language, of which a sentence contains some. Finds them in time linear in the sentence. */
export interface PhraseGroups {
  /** The number of a group: phrases separated by `|`, in the form that `PhraseRules` describes. The same phrases get the same number. */
  add(alternatives: string): number
  /** The numbers of the groups with a phrase in the sentence. */
  foundIn(sentence: SentenceWords): ReadonlySet<number>
}

/** A normalised sentence and its words. */
export class SentenceWords {
  readonly text: string
  readonly words: readonly string[]

  constructor(text: string) {
    this.text = text
    this.words = text.split(' ').filter((word) => word !== '')
  }
}

interface Word {
  text: string
  /** Stands for every word that begins with it. */
  isBeginning: boolean
}

interface Phrase {
  group: number
  first: Word
  /** The others. */
  words: readonly Word[]
}

/** Beginnings of words are looked up by so many characters, or fewer where they are shorter. */
const KEY_CHARACTERS = 3

/** For languages that separate words: words in order, with up to two others between them. */
export class WordPhraseGroups implements PhraseGroups {
  readonly #numbers = new Map<string, number>()
  /** By the first word of the phrase: most sentences contain the first words of few phrases. */
  readonly #byWord = new Map<string, Phrase[]>()
  /** By the first characters of the beginning of the first word. */
  readonly #byBeginning = new Map<string, Phrase[]>()

  add(alternatives: string): number {
    const known = this.#numbers.get(alternatives)
    if (known !== undefined) return known
    const group = this.#numbers.size
    this.#numbers.set(alternatives, group)
    for (const phrase of new Set(alternatives.split('|'))) {
      const [first, ...words] = phrase.split('_').map(wordOf)
      if (!first || first.text === '') continue
      const [index, key] = first.isBeginning ? [this.#byBeginning, first.text.slice(0, KEY_CHARACTERS)] : [this.#byWord, first.text]
      const phrases = index.get(key)
      if (phrases) phrases.push({ group, first, words })
      else index.set(key, [{ group, first, words }])
    }
    return group
  }

  foundIn({ words }: SentenceWords): ReadonlySet<number> {
    const found = new Set<number>()
    for (const [at, word] of words.entries()) {
      const look = (phrases: readonly Phrase[] | undefined) => {
        for (const { group, first, words: others } of phrases ?? [])
          if (!found.has(group) && word.startsWith(first.text) && follows(others, words, at)) found.add(group)
      }
      look(this.#byWord.get(word))
      for (let length = Math.min(KEY_CHARACTERS, word.length); length > 0; length -= 1) look(this.#byBeginning.get(word.slice(0, length)))
    }
    return found
  }
}

/** For scripts that don't separate words, or attach them to each other: pieces in order anywhere, with up to twelve characters between. */
export class AnywherePhraseGroups implements PhraseGroups {
  readonly #numbers = new Map<string, number>()
  /** By the codes of the first two characters of the phrase; by 0 instead of the second if it has only one. */
  readonly #byStart = new Map<number, Map<number, { group: number; pieces: readonly string[] }[]>>()

  add(alternatives: string): number {
    const known = this.#numbers.get(alternatives)
    if (known !== undefined) return known
    const group = this.#numbers.size
    this.#numbers.set(alternatives, group)
    for (const phrase of new Set(alternatives.split('|'))) {
      const pieces = piecesOf(phrase)
      const [piece] = pieces
      if (piece === undefined) continue
      const bySecond = this.#byStart.get(piece.charCodeAt(0)) ?? new Map<number, { group: number; pieces: readonly string[] }[]>()
      this.#byStart.set(piece.charCodeAt(0), bySecond)
      const second = piece.length > 1 ? piece.charCodeAt(1) : 0
      bySecond.set(second, [...(bySecond.get(second) ?? []), { group, pieces }])
    }
    return group
  }

  foundIn({ text }: SentenceWords): ReadonlySet<number> {
    const padded = ` ${text} `
    const found = new Set<number>()
    for (let at = 0; at < padded.length; at += 1) {
      const bySecond = this.#byStart.get(padded.charCodeAt(at))
      if (!bySecond) continue
      const seconds = [0, at + 1 < padded.length ? padded.charCodeAt(at + 1) : 0]
      for (const second of seconds) {
        for (const { group, pieces } of bySecond.get(second) ?? []) if (!found.has(group) && isAt(pieces, padded, at)) found.add(group)
      }
    }
    return found
  }
}

function wordOf(written: string): Word {
  return written.endsWith('*') ? { text: written.slice(0, -1), isBeginning: true } : { text: written, isBeginning: false }
}

/** Whether the words follow the one at `at` in order. Searches all positions at once, so that a repetitive sentence costs no more. */
function follows(phrase: readonly Word[], words: readonly string[], at: number): boolean {
  let reached = [at]
  for (const { text, isBeginning } of phrase) {
    const next = new Set<number>()
    for (const position of reached) {
      for (let index = position + 1; index <= position + 1 + MAX_WORDS_BETWEEN && index < words.length; index += 1) {
        if (isBeginning ? words[index]?.startsWith(text) : words[index] === text) next.add(index)
      }
    }
    if (next.size === 0) return false
    reached = [...next]
  }
  return true
}

function piecesOf(phrase: string): string[] {
  return phrase
    .split('_')
    .map((piece) => normalizeText(piece.replaceAll('*', '')))
    .filter((piece) => piece !== '')
}

/** Whether the first piece is at `at`, and the others follow, each within the distance of the one before. */
function isAt([first = '', ...pieces]: readonly string[], text: string, at: number): boolean {
  if (!text.startsWith(first, at)) return false
  let ends = new Set([at + first.length])
  for (const piece of pieces) {
    const next = new Set<number>()
    for (const before of ends) {
      const reach = text.slice(before, before + MAX_CHARACTERS_BETWEEN + piece.length)
      for (let found = reach.indexOf(piece); found >= 0; found = reach.indexOf(piece, found + 1)) next.add(before + found + piece.length)
    }
    if (next.size === 0) return false
    ends = next
  }
  return true
}
