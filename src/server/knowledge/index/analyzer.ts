import { formsOf, plainWord } from '../../../text/word-forms.ts'
import { isStopWord, type Language, snowballStems } from './grammars.ts'

const MAX_CACHED_TOKENS = 50_000
/** Longer tokens are encoded data; their beginning is enough to find them. */
const MAX_TOKEN_CHARACTERS = 64
/** Scripts without spaces between words. */
const UNSPACED =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]&&[\\p{L}\\p{M}]]'
const TOKEN = new RegExp(
  `(?:${UNSPACED}|\\u30fc)+|(?:(?!${UNSPACED})[\\p{L}\\p{N}_])(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}_\\u200c\\u200d])*|\\u20ac`,
  'gv',
)
/** Tells most texts without such scripts at once. */
const OTHER_SCRIPTS = /[\u0e00-\u1fff\u3000-\uffff]/
const SPACED_TOKEN = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_\u200c\u200d]*|\u20ac/gu
const UNSPACED_TOKEN = new RegExp(`^${UNSPACED}`, 'v')
const IN_PAIRS = new RegExp(`${UNSPACED}|\\p{Script=Hangul}`, 'v')
const HANGUL = /\p{Script=Hangul}/u
/** A letter with its signs. */
const CLUSTER = /\P{M}\p{M}*/gu
/** A number with separators of thousands: 2.000, 1 234, 1'234'567. */
const THOUSANDS = /(?<![\p{N}\p{L}.,])[1-9]\d{0,2}([.,'\u2019 \u00a0\u202f])\d{3}(?:\1\d{3})*(?!\1?[\p{N}\p{L}])/gu
const CAMEL_CASE = /\p{Ll}\p{Lu}/u
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

export interface Token {
  text: string
  /** One or two characters of what may be a longer word. */
  isPart: boolean
}

/**
 * The tokens of a text: runs of letters, digits and underscores, and the euro sign. Korean words are followed by their pairs of characters. Text without
 * spaces between words has the words of a dictionary and then all pairs of characters; of a query, those pairs that no function word
 * has a part in. "outline" omits the words of the dictionary, which takes longest.
 */
export function readTokens(text: string, use: 'document' | 'query' | 'outline' = 'document'): Token[] {
  const plain = text.replace(THOUSANDS, withoutSeparators)
  if (!OTHER_SCRIPTS.test(plain) || !IN_PAIRS.test(plain)) return (plain.match(SPACED_TOKEN) ?? []).map(wordToken)
  return (plain.normalize('NFKC').match(TOKEN) ?? []).flatMap((match) => {
    if (UNSPACED_TOKEN.test(match)) return use === 'outline' ? pairsOf(match) : unspacedTokens(match, use === 'query')
    return HANGUL.test(match) && !isStopWord(match, []) ? [wordToken(match), ...pairsOf(stemOf(match))] : [wordToken(match)]
  })
}

export function tokensOf(text: string): string[] {
  return readTokens(text).map((token) => token.text)
}

/** The words of a text, without their parts. */
export function wordsOf(text: string): string[] {
  return readTokens(text).flatMap((token) => (token.isPart ? [] : token.text))
}

/** A number as one; numbers with spaces between them may be several. */
function withoutSeparators(number: string, separator: string): string {
  const whole = number.replaceAll(separator, '')
  return separator === ' ' ? `${whole} ${number}` : whole
}

const wordToken = (text: string): Token => ({ text, isPart: false })
const stemOf = (word: string) => formsOf(plainWord(word))[0] ?? word

function unspacedTokens(run: string, isQuery: boolean): Token[] {
  const pieces: string[][] = [[]]
  for (const { segment } of segmenter.segment(run)) {
    const isFunctionWord = isStopWord(segment, [])
    if (!isFunctionWord || !isQuery) pieces.at(-1)?.push(segment)
    else pieces.push([])
  }
  return pieces.flatMap((segments) => {
    const isAlone = segments.length === 1
    const words = segments.filter((segment) => !isStopWord(segment, []))
    const known = new Set(words)
    const tokens = words.map((text) => ({ text, isPart: !isAlone && text.match(CLUSTER)?.length === 1 }))
    return [...tokens, ...pairsOf(segments.join('')).filter(({ text }) => !known.has(text))]
  })
}

function pairsOf(run: string): Token[] {
  const characters = run.match(CLUSTER) ?? []
  return characters.slice(1).map((character, at) => ({ text: `${characters[at]}${character}`, isPart: true }))
}

const cached = new Map<string, Map<string, readonly string[]>>()

/** All terms of a token in a text of a language: of the whole and, for identifiers such as `max_size` or `DocumentRoot`, of its parts. */
export function termsOf(token: string, languages: readonly Language[]): readonly string[] {
  const key = languages.length === 1 ? (languages[0] as Language) : languages.join()
  let terms = cached.get(key)
  if (!terms || terms.size >= MAX_CACHED_TOKENS) cached.set(key, (terms = new Map<string, readonly string[]>()))
  let known = terms.get(token)
  if (!known) terms.set(token, (known = [...new Set([token, ...partsOf(token)].flatMap((part) => stemsOf(part, languages)))]))
  return known
}

export function stemsOf(word: string, languages: readonly Language[]): string[] {
  const start = word.slice(0, MAX_TOKEN_CHARACTERS)
  const plain = plainWord(start)
  if (plain === '') return []
  if (/[\d_]/.test(plain)) return [plain]
  return [...new Set(snowballStems(start, languages) ?? formsOf(plain))]
}

/** The words of an identifier; none for a plain word. */
export function partsOf(token: string): string[] {
  if (!token.includes('_') && !CAMEL_CASE.test(token)) return []
  const parts = token.slice(0, MAX_TOKEN_CHARACTERS).match(PARTS) ?? []
  return parts.length > 1 || parts[0] !== token ? parts : []
}
