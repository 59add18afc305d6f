import type { StemmerLanguage } from '../../../contract/stemmer-languages.ts'
import { fold } from '../../../text/fold.ts'
import { type Grammar, loadGrammar } from './languages.ts'
import { STOP_WORDS, WEAK_WORDS } from './stop-words.ts'

const MAX_CACHED_TOKENS = 50_000
/** Longer tokens are encoded data; their beginning is enough to find them. */
const MAX_TOKEN_CHARACTERS = 64
const TOKEN = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const CAMEL_CASE = /\p{Ll}\p{Lu}/u
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu

/** Turns text into index terms: lower case without diacritics, stemmed once per configured language. */
export class Analyzer {
  readonly #grammars: readonly Grammar[]
  readonly #stopWords: ReadonlySet<string>
  readonly #cache = new Map<string, readonly string[]>()

  constructor(grammars: readonly Grammar[] = []) {
    this.#grammars = grammars
    this.#stopWords = new Set([...STOP_WORDS, ...grammars.flatMap(({ stopWords }) => stopWords).map(fold)])
  }

  /** English always, and the other languages that are configured. */
  static async of(languages: readonly StemmerLanguage[]): Promise<Analyzer> {
    return new Analyzer(await Promise.all([...new Set<StemmerLanguage>(['english', ...languages])].map(loadGrammar)))
  }

  /** All terms of a token: of the whole and, for identifiers such as `max_size` or `DocumentRoot`, of its parts. */
  termsOf(token: string): readonly string[] {
    const cached = this.#cache.get(token)
    if (cached) return cached
    const terms = [...new Set([token, ...partsOf(token)].flatMap((part) => this.stemsOf(part)))]
    if (this.#cache.size >= MAX_CACHED_TOKENS) this.#cache.clear()
    this.#cache.set(token, terms)
    return terms
  }

  /** The stems of one word, one per language, without duplicates. */
  stemsOf(word: string): string[] {
    const lower = word.slice(0, MAX_TOKEN_CHARACTERS).toLowerCase()
    const folded = fold(lower)
    if (folded === '') return []
    if (/[\d_]/.test(folded) || this.#grammars.length === 0 || CJK.test(folded)) return [folded]
    return [...new Set(this.#grammars.map((grammar) => stemOf(grammar, lower, folded)))]
  }

  isStopWord(word: string): boolean {
    return this.#stopWords.has(fold(word.toLowerCase()))
  }

  isWeakWord(word: string): boolean {
    return WEAK_WORDS.has(word.toLowerCase())
  }
}

function stemOf({ language, stem }: Grammar, lower: string, folded: string): string {
  if (language === 'english') return stem(folded)
  const stemmed = stem(language === 'german' ? withUmlauts(lower) : lower.normalize('NFC'))
  return fold(stemmed)
}

/** Writes `ae`, `oe` and `ue` as umlauts, as Snowball's German2 does, so both spellings match. */
function withUmlauts(word: string): string {
  return word
    .normalize('NFC')
    .replaceAll('ae', '\u00e4')
    .replaceAll('oe', '\u00f6')
    .replace(/(?<![qa\u00e4e])ue/g, '\u00fc')
}

/** The words of an identifier; none for a plain word. */
export function partsOf(token: string): string[] {
  if (!token.includes('_') && !CAMEL_CASE.test(token)) return []
  const parts = token.slice(0, MAX_TOKEN_CHARACTERS).match(PARTS) ?? []
  return parts.length > 1 || parts[0] !== token ? parts : []
}

/** The tokens of a text: runs of letters, digits and underscores; Chinese and Japanese in overlapping pairs of characters. */
export function tokensOf(text: string): string[] {
  const tokens = text.match(TOKEN) ?? []
  return CJK.test(text) ? tokens.flatMap(pairsOf) : tokens
}

function pairsOf(token: string): string[] {
  if (!CJK.test(token)) return [token]
  const characters = [...token]
  if (characters.length < 3) return [token]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
