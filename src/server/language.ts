import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { PAGE_LANGUAGES, type PageLanguage } from '../contract/page-languages.ts'

/** Only the beginning of a long text is read. */
const MAX_READ_CHARACTERS = 1_000
/** Scripts that decide the language, the most distinctive first: Japanese and Chinese texts may contain Latin names. */
const SCRIPTS: readonly (readonly [PageLanguage, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
]
const SCRIPT_SHARE = 0.1
const LETTERS = /[\p{L}\p{M}]/gu
const WORDS = /[\p{L}\p{M}]+/gu
/** Languages that short texts in a script are taken for. */
const USUAL: readonly (readonly [PageLanguage, RegExp])[] = [
  ['ar', /\p{Script=Arabic}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ru', /\p{Script=Cyrillic}/u],
]
/** Shorter texts don't tell. */
const MIN_LETTERS = 12
const MIN_WORDS = 3

/** A language that scores this share of the best one is as likely where something else speaks for it. */
const LIKELY_SHARE = 0.9

/** ISO 639-1 code of the language of a text; `null` if it is too short to tell. `likely`: preferred to a language that is hardly likelier. */
export function detectLanguage(text: string, likely?: string): string | null {
  const start = text.slice(0, MAX_READ_CHARACTERS)
  const letters = start.match(LETTERS)?.length ?? 0
  for (const [language, letter] of SCRIPTS) {
    const found = start.match(letter)?.length ?? 0
    if (found > 0 && found >= letters * SCRIPT_SHARE) return language
  }
  const usual = USUAL.find(([, letter]) => letter.test(start))?.[0] ?? null
  if (letters < MIN_LETTERS || (start.match(WORDS)?.length ?? 0) < MIN_WORDS) return usual
  const result = (loaded ??= loadDetector()).detect(start)
  const scores = result.getScores()
  if (likely && (scores[likely] ?? 0) >= LIKELY_SHARE * (scores[result.language] ?? 1)) return likely
  return result.isReliable() ? result.language : usual
}

/**
 * The language to reply in, one of the page's: that of the text, else the first known one of `fallbacks` (tags of BCP 47: the page's
 * language, those of `Accept-Language`); `null` if none is known.
 */
export function languageOf(text: string, fallbacks: readonly string[] = []): PageLanguage | null {
  const [first, ...others] = fallbacks.map((tag) => tag.split('-')[0]?.toLowerCase())
  return [detectLanguage(text, first), first, ...others].map(pageLanguage).find((language) => language !== undefined) ?? null
}

const pageLanguage = (tag: string | null | undefined) => PAGE_LANGUAGES.find((language) => language === tag)

interface Detector {
  detect: (text: string) => { language: string; isReliable: () => boolean; getScores: () => Record<string, number> }
}

/** Loaded with the first text that needs it: it takes 90 MB, which an idle server does without. */
let loaded: Detector | undefined

/** Loads it without waiting, which `import` can't. */
function loadDetector(): Detector {
  const file = findPackageJSON('eld', import.meta.url)
  if (file === undefined) throw new Error('The package eld is missing')
  return (createRequire(import.meta.url)(join(dirname(file), 'src/entries/static.extrasmall.js')) as { eld: Detector }).eld
}
