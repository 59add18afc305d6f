import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as italian } from '@orama/stopwords/italian'
import { stopwords as dutch } from '@orama/stopwords/dutch'
import { stopwords as portuguese } from '@orama/stopwords/portuguese'
import { stopwords as russian } from '@orama/stopwords/russian'
import { stopwords as spanish } from '@orama/stopwords/spanish'
import { stopwords as swedish } from '@orama/stopwords/swedish'
import { stopwords as turkish } from '@orama/stopwords/turkish'

const WORDS: Record<string, readonly string[]> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  ru: russian,
  sv: swedish,
  tr: turkish,
}
const COMMON = Object.entries(WORDS).map(([language, words]) => [language, new Set(words)] as const)

/** Languages with a script of their own, the most distinctive first. */
const SCRIPTS = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['uk', /[іїєґ]/giu],
] as const

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ru', 'sv', 'tr', 'ja', 'ko', 'zh', 'ar', 'uk'] as const
export type AnswerLanguage = (typeof LANGUAGES)[number]

/** Share of the letters in a script that decides the language. */
const SCRIPT_SHARE = 0.05
const MIN_WORDS = 3

/** Language of a text by its script and its most common words; null if it is too short to detect. */
export function languageOf(text: string): AnswerLanguage | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [language, letter] of SCRIPTS) if ((text.match(letter)?.length ?? 0) > letters * SCRIPT_SHARE) return language
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length < MIN_WORDS) return null
  const counts = COMMON.map(([language, common]) => ({ language, count: words.filter((word) => common.has(word)).length }))
  const [best, second] = counts.toSorted((one, other) => other.count - one.count)
  return best && best.count > (second?.count ?? 0) ? (best.language as AnswerLanguage) : null
}
