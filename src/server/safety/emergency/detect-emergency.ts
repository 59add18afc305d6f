import { PAGE_LANGUAGES, type PageLanguage } from '../../../contract/page-languages.ts'
import { EMERGENCY_KINDS, type EmergencyKind } from './kinds.ts'
import { type LanguagePhrases, phraseSource, SENTENCE_ENDS, wordsOf } from './language-phrases.ts'
import { AR } from './phrases/ar.ts'
import { DE } from './phrases/de.ts'
import { EN } from './phrases/en.ts'
import { ES } from './phrases/es.ts'
import { FR } from './phrases/fr.ts'
import { HI } from './phrases/hi.ts'
import { IT } from './phrases/it.ts'
import { JA } from './phrases/ja.ts'
import { KO } from './phrases/ko.ts'
import { PT } from './phrases/pt.ts'
import { RU } from './phrases/ru.ts'
import { ZH } from './phrases/zh.ts'

const PHRASES: Readonly<Record<PageLanguage, LanguagePhrases>> = {
  en: EN,
  ar: AR,
  de: DE,
  es: ES,
  fr: FR,
  hi: HI,
  it: IT,
  ja: JA,
  ko: KO,
  pt: PT,
  ru: RU,
  zh: ZH,
}

/** A long text is read at both ends. */
const MAX_READ_CHARACTERS = 4_000
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** An emergency, and the languages in which a phrase names it: several that are alike can. */
export interface Emergency {
  kind: EmergencyKind
  languages: PageLanguage[]
}

/** The emergency that a text describes, in one of the languages of the page; `null` for none. Takes time that is linear in its length. */
export function detectEmergency(text: string): Emergency | null {
  const read = text.length <= 2 * MAX_READ_CHARACTERS ? text : `${text.slice(0, MAX_READ_CHARACTERS)}\n${text.slice(-MAX_READ_CHARACTERS)}`
  patterns ??= PAGE_LANGUAGES.map((language) => ({ language, ...patternsOf(PHRASES[language], language) }))
  for (const sentence of read.split(SENTENCE_ENDS)) {
    const words = wordsOf(sentence)
    const found = patterns.flatMap(({ language, kinds, calm }) => {
      if (language === 'zh' && KANA.test(words)) return []
      const kind = kinds.find(({ pattern }) => pattern.test(words))?.kind
      return kind && (kind === 'self_harm' || !calm.test(words)) ? [{ kind, language }] : []
    })
    if (found[0]) return { kind: found[0].kind, languages: found.map(({ language }) => language) }
  }
  return null
}

interface LanguagePatterns {
  kinds: { kind: EmergencyKind; pattern: RegExp }[]
  calm: RegExp
}
let patterns: readonly (LanguagePatterns & { language: PageLanguage })[] | undefined

function patternsOf({ slots, phrases, calm }: LanguagePhrases, language: PageLanguage): LanguagePatterns {
  const source = (sources: readonly string[], start?: string) => phraseSource(sources, { slots, language, start })
  return {
    kinds: EMERGENCY_KINDS.map((kind) => ({ kind, pattern: new RegExp(source(phrases[kind]), 'u') })),
    calm: new RegExp(`${source(calm.beginnings, '^')}|${source(calm.words)}`, 'u'),
  }
}
