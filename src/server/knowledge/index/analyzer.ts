import type { StemmerLanguage } from '../../../contract/stemmer-languages.ts'
import { fold } from '../../../text/fold.ts'

/** English function words of questions. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about actually am an and any anybody anyone anything are as at be because been being but by can cannot could d did didn do does ' +
    'doesn doing don done else ever every explain few for from go going got had has have having he hello her here hey hi him his how i ' +
    'if in into is isn it its just kindly let like ll m many may maybe me might more most much must my no not of on one only or other ' +
    'our out please quite re really s said say shall she should show so some somebody someone something such t tell than thank thanks ' +
    'that the their them then there these they thing things this those to too u under up ve very was way we well were what whats when ' +
    'where whether which while who whom whose why will with won would wouldn yes you your yours aren couldn shouldn'
  ).split(' '),
)

/** Words that are usually filler but sometimes the subject. They get a fraction of the weight. */
const WEAK_WORDS: ReadonlySet<string> = new Set(
  'after again all also ask each get getting give happen happens help know make mine need put use used using want without work works'.split(
    ' ',
  ),
)

/** A language's Snowball stemmer and its function words. */
interface Grammar {
  language: StemmerLanguage
  stem: (word: string) => string
  stopWords: readonly string[]
}

type Modules = Promise<[{ stemmer: (word: string) => string }, { stopwords: string[] }]>

const GRAMMARS: Record<StemmerLanguage, () => Modules> = {
  english: async () => [await import('@orama/stemmers/english'), { stopwords: [] }],
  german: () => Promise.all([import('@orama/stemmers/german'), import('@orama/stopwords/german')]),
  french: () => Promise.all([import('@orama/stemmers/french'), import('@orama/stopwords/french')]),
  spanish: () => Promise.all([import('@orama/stemmers/spanish'), import('@orama/stopwords/spanish')]),
  italian: () => Promise.all([import('@orama/stemmers/italian'), import('@orama/stopwords/italian')]),
  portuguese: () => Promise.all([import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')]),
  dutch: () => Promise.all([import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')]),
  swedish: () => Promise.all([import('@orama/stemmers/swedish'), import('@orama/stopwords/swedish')]),
  norwegian: () => Promise.all([import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')]),
  danish: () => Promise.all([import('@orama/stemmers/danish'), import('@orama/stopwords/danish')]),
  finnish: () => Promise.all([import('@orama/stemmers/finnish'), import('@orama/stopwords/finnish')]),
  russian: () => Promise.all([import('@orama/stemmers/russian'), import('@orama/stopwords/russian')]),
  turkish: () => Promise.all([import('@orama/stemmers/turkish'), import('@orama/stopwords/turkish')]),
}

/** Loads the grammar of one language. The English function words are in stop-words.ts. */
async function loadGrammar(language: StemmerLanguage): Promise<Grammar> {
  const [{ stemmer }, { stopwords }] = await GRAMMARS[language]()
  return { language, stem: stemmer, stopWords: stopwords }
}

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
