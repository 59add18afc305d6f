import { PAGE_LANGUAGES, type PageLanguage } from '../../../contract/page-languages.ts'
import { fold } from '../../../text/fold.ts'
import { foldWording } from '../../../text/fold-wording.ts'
import { EMERGENCY_KINDS, type EmergencyKind } from './kinds.ts'
import type { LanguagePhrases } from './language-phrases.ts'
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
const APOSTROPHES = /['’ʼ`´]/g
const SENTENCE_ENDS = /[.!?。！？؟।\n;…]+/u
const WITHOUT_SPACES: readonly PageLanguage[] = ['ja', 'zh']
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const SLOT = /\{([a-z]+)\}/g

/** An emergency, and the languages in which a phrase names it: several that are alike can. */
export interface Emergency {
  kind: EmergencyKind
  languages: PageLanguage[]
}

/** The emergency that a text describes, in one of the languages of the page; `null` for none. Takes time that is linear in its length. */
export function detectEmergency(text: string): Emergency | null {
  const read = text.length <= 2 * MAX_READ_CHARACTERS ? text : `${text.slice(0, MAX_READ_CHARACTERS)}\n${text.slice(-MAX_READ_CHARACTERS)}`
  patterns ??= PAGE_LANGUAGES.map((language) => ({ language, ...patternsOf(PHRASES[language], language) }))
  for (const sentence of read.replace(APOSTROPHES, '').split(SENTENCE_ENDS)) {
    const words = ` ${foldWording(sentence)} `
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

function patternsOf({ slots = {}, phrases, calm }: LanguagePhrases, language: PageLanguage): LanguagePatterns {
  const spaced = !WITHOUT_SPACES.includes(language)
  const filled = (source: string): string => source.replace(SLOT, (_, name: string) => `(${filled(slots[name] ?? '')})`)
  const gap = spaced ? ' ' : ' ?'
  const expression = (sources: readonly string[], start = '') => {
    const marked = sources.join('|').replaceAll('«', `(?<=^ )({beside}${gap}){0,3}(`).replaceAll('»', `)(${gap}{beside}){0,3}(?= ?$)`)
    const source = fold(filled(marked))
      .replaceAll(/\.\. ?/g, spaced ? '(?:[^ ]+ ){0,5}?' : '.{0,8}?')
      .replaceAll('*', '[^ ]*')
      .replaceAll(/\((?!\?)/g, '(?:')
    return spaced ? `${start} (?:${source})(?= )` : `${start} ?(?:${source})`
  }
  return {
    kinds: EMERGENCY_KINDS.map((kind) => ({ kind, pattern: new RegExp(expression(phrases[kind]), 'u') })),
    calm: new RegExp(`${expression(calm.beginnings, '^')}|${expression(calm.words)}`, 'u'),
  }
}
