import { ENGLISH } from './english.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import type { LanguageRules, ReplyLanguage } from './language-rules.ts'
import { SPANISH } from './spanish.ts'
import { plainLower } from '../folding.ts'

const LANGUAGES: readonly LanguageRules[] = [ENGLISH, GERMAN, FRENCH, SPANISH]
const MARKERS = new Map(LANGUAGES.map(({ language, markers }) => [language, new Set(markers.split(' '))]))

/** Letters that only one of these languages has. */
const LETTERS: Readonly<Record<Exclude<ReplyLanguage, 'en'>, RegExp>> = {
  de: /[äöüß]/i,
  fr: /[çœèêàùâîô]/i,
  es: /[ñ¿¡]/i,
}
const LETTER_WORTH = 2
/** Only the beginning of a long prompt is read. */
const MAX_READ_CHARACTERS = 1_000

/** The language of a text, if its words tell. */
export function languageOf(text: string): ReplyLanguage | undefined {
  const start = text.slice(0, MAX_READ_CHARACTERS)
  const words = plainLower(start).match(/[\p{L}'-]+/gu) ?? []
  const scores = LANGUAGES.map(({ language }) => {
    const markers = MARKERS.get(language)
    const frequent = words.filter((word) => markers?.has(word)).length
    return { language, score: frequent + (language !== 'en' && LETTERS[language].test(start) ? LETTER_WORTH : 0) }
  })
  const [first, second] = scores.toSorted((one, other) => other.score - one.score)
  if (!first || first.score === 0) return undefined
  if (first.score > (second?.score ?? 0)) return first.language
  // "Convertir 5 km en miles" is French or Spanish: either writes its numbers like the other, and not as English does.
  const tied = scores.filter(({ score }) => score === first.score).map(({ language }) => language)
  return tied.length === 2 && tied.includes('fr') && tied.includes('es') ? 'fr' : undefined
}

/** All rules, those of one language first: a request may be in none that can be told. */
export function rulesFrom(language: ReplyLanguage | undefined): readonly LanguageRules[] {
  return language === undefined
    ? LANGUAGES
    : LANGUAGES.toSorted((one, other) => Number(other.language === language) - Number(one.language === language))
}

/** The rules of a language; those of English if it has none. */
export function rulesOf(language: ReplyLanguage): LanguageRules {
  return LANGUAGES.find((rules) => rules.language === language) ?? ENGLISH
}
