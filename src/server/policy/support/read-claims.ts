import type { PageLanguage } from '../../../contract/page-languages.ts'
import { CAPITALISED_IN_GERMAN, TITLES } from './name-words.ts'
import { MONTH_WORDS, WEEKDAY_WORDS } from './calendar-words.ts'
import {
  AMBIGUOUS,
  COMPARATIVES,
  CONDITIONS,
  CONJUNCTIONS,
  CONTRASTS,
  DENIALS,
  EXCEPTIONS,
  FUNCTION_WORDS,
  NEGATORS,
  PERMISSIONS,
  UNIVERSALS,
  WITHOUT,
} from './logic-words.ts'
import { type Fact, readFacts } from './read-facts.ts'
import { isCjk, type Token, tokensOf } from './tokens.ts'
import { NUMBER_WORDS } from './number-words.ts'
import { unitOf } from './units.ts'

/** A part of a sentence that claims one thing. */
export interface Clause {
  /** Content words, and numbers other than those of facts with a unit, in one spelling. */
  words: readonly string[]
  facts: readonly Fact[]
  isNegative: boolean
  /** Whether the opposite may be meant too: an exception, "free", "only". */
  isAmbiguous: boolean
}

export interface Claims {
  tokens: readonly Token[]
  facts: readonly Fact[]
  clauses: readonly Clause[]
  words: readonly string[]
  hasUniversal: boolean
  isRestricted: boolean
}

const CLAUSE_MARKS = /^[,;:()،؛，；：、（）–—]$/
const NOBODY = /^(?:nobody|none|niemand|keiner|personne|nadie|nessuno|ninguém|никто)$/
const LIMITING = /^(?:under|below|over|above|than|unter|über|als|de|que|di|младше|до|старше)$/
const FIRST =
  /^(?:first|second|other|else|anderen|übrigen|autres|demás|altri|outros|erste[nrs]?|zweite[nrs]?|premier|première|primer|primero|primo|primeiro|первый|первую)$/
const HIRAGANA = /\p{Script=Hiragana}/u
const MIN_WORD_CHARACTERS = 3
const NO_CONTENT: readonly ReadonlySet<string>[] = [
  FUNCTION_WORDS,
  NEGATORS,
  DENIALS,
  CONJUNCTIONS,
  CONTRASTS,
  CONDITIONS,
  EXCEPTIONS,
  UNIVERSALS,
  AMBIGUOUS,
  WITHOUT,
  PERMISSIONS,
]

/** Reads what a sentence claims. */
export function readClaims(sentence: string, language: PageLanguage | null): Claims {
  const tokens = tokensOf(sentence, language)
  const facts = readFacts(tokens)
  const clauses = clausesOf(tokens, facts)
  const texts = tokens.map(({ text }) => text)
  return {
    tokens,
    facts,
    clauses,
    words: [...new Set(clauses.flatMap(({ words }) => words))],
    hasUniversal: texts.some((text, at) => UNIVERSALS.has(text) && !isCounted(tokens, at)),
    isRestricted: texts.some((text) => CONDITIONS.has(text) || EXCEPTIONS.has(text)),
  }
}

/** Whether two words are forms of one: equal, or alike in most of their beginning; in German one may end a compound. */
export function isAlike(one: string, other: string): boolean {
  if (one === other) return true
  if (isCjk(one) || /\d/.test(one)) return false
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 4) return false
  if (short.length >= 5 && long.endsWith(short)) return true
  let prefix = 0
  while (prefix < short.length && short[prefix] === long[prefix]) prefix += 1
  return prefix >= 4 && prefix >= 0.66 * short.length && long.length - prefix <= 5
}

export function includesAlike(words: readonly string[], word: string): boolean {
  return words.some((other) => isAlike(other, word))
}

/** "every three months" and "all four" count something, and claim nothing of everything. */
function isCounted(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  return (
    next !== undefined &&
    (next.kind === 'number' ||
      FIRST.test(next.text) ||
      NUMBER_WORDS.has(next.text) ||
      unitOf(next.text) !== null ||
      (next.text === 'les' && NUMBER_WORDS.has(tokens[at + 2]?.text ?? '')))
  )
}

function clausesOf(tokens: readonly Token[], facts: readonly Fact[]): Clause[] {
  const bounds = [0]
  for (const [at, { text, kind }] of tokens.entries()) {
    const isStart =
      CONTRASTS.has(text) ||
      CONJUNCTIONS.has(text) ||
      WITHOUT.has(text) ||
      EXCEPTIONS.has(text) ||
      (kind === 'mark' && CLAUSE_MARKS.test(text))
    if (isStart && at > (bounds.at(-1) ?? 0)) bounds.push(at)
  }
  const clauses: Clause[] = []
  for (const [index, start] of bounds.entries()) {
    const end = bounds[index + 1] ?? tokens.length
    clauses.push(
      clauseOf(
        tokens.slice(start, end),
        facts.filter(({ at }) => at >= start && at < end),
        clauses.at(-1),
        start,
      ),
    )
  }
  return clauses
}

function clauseOf(tokens: readonly Token[], facts: readonly Fact[], before: Clause | undefined, start: number): Clause {
  const texts = tokens.map(({ text }) => text)
  const has = (words: ReadonlySet<string>) => texts.some((text) => words.has(text))
  const isException = has(EXCEPTIONS)
  const denies = negates(texts) || has(DENIALS) || has(WITHOUT)
  // "closed: Tuesday"
  const joins = (CONJUNCTIONS.has(texts[0] ?? '') || /^[:：]$/.test(texts[0] ?? '')) && before?.isNegative === true
  return {
    words: contentWords(tokens, facts, start),
    facts,
    isNegative: isException ? !(before?.isNegative ?? denies) : denies || joins,
    // "not without" says that something is needed.
    isAmbiguous: isException || has(AMBIGUOUS) || (has(WITHOUT) && before?.isNegative === true) || (denies && limits(texts)),
  }
}

/** "nobody under 21" says the same as "from 21". */
function limits(texts: readonly string[]): boolean {
  return (
    texts.some((text) => NOBODY.test(text)) &&
    texts.some((text, at) => LIMITING.test(text) && /^\d/.test(texts.slice(at + 1, at + 3).join('')))
  )
}

/** "no more than" and "not until" are limits. */
function negates(texts: readonly string[]): boolean {
  return texts.some((text, at) => NEGATORS.has(text) && !texts.slice(at + 1, at + 3).some((next) => COMPARATIVES.has(next)))
}

function contentWords(tokens: readonly Token[], facts: readonly Fact[], start: number): string[] {
  const found = tokens.flatMap((token, index) => {
    const fact = facts.find(({ at }) => at === start + index)
    if (fact?.kind === 'number')
      return fact.unit ? (fact.unit.dimension === 'percent' && token.kind === 'word' ? [token.text] : []) : [String(fact.values[0])]
    if (fact?.kind === 'weekdays') return [`weekday-${fact.days.join('-')}`]
    if (fact?.kind === 'month') return [`month-${fact.month}`]
    if (fact || token.kind !== 'word' || unitOf(token.text)) return []
    if (MONTH_WORDS.has(token.text) || WEEKDAY_WORDS.has(token.text)) return []
    const isShort = token.text.length < MIN_WORD_CHARACTERS && !isCjk(token.text)
    return isShort || NO_CONTENT.some((list) => list.has(token.text)) ? [] : [token.text]
  })
  return joinedCharacters(found)
}

/** Chinese and Japanese words as pairs of characters. */
function joinedCharacters(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1]
    if (!isCjk(word) || word.length > 1) return [word]
    return next !== undefined && isCjk(next) && next.length === 1 && !HIRAGANA.test(word + next) ? [word + next] : []
  })
}

/** Capitalised words that are no beginning of a sentence: names, except in German, where two of them in a row are needed. */
export function namesIn(tokens: readonly Token[], isGerman: boolean): string[] {
  const isCapital = (at: number) => {
    const token = tokens[at]
    return token?.kind === 'word' && /^\p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*$/u.test(token.raw) && !isCommon(token.text)
  }
  return tokens.flatMap((token, at) => {
    if (at === 0 || !isCapital(at)) return []
    const before = tokens[at - 1]
    if (before?.kind === 'mark' && /[:–—(]/.test(before.text)) return []
    const isName = !isGerman || isCapital(at + 1) || (at > 1 && isCapital(at - 1)) || CAPITALISED_IN_GERMAN.has(tokens[at - 1]?.text ?? '')
    return isName ? [token.text] : []
  })
}

const isCommon = (text: string): boolean =>
  MONTH_WORDS.has(text) ||
  WEEKDAY_WORDS.has(text) ||
  NUMBER_WORDS.has(text) ||
  unitOf(text) !== null ||
  NO_CONTENT.some((list) => list.has(text)) ||
  TITLES.has(text)
