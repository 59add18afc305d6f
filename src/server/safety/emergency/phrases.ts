import type { PageLanguage } from '../../../contract/page-languages.ts'
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

export const PHRASES: Readonly<Record<PageLanguage, LanguagePhrases>> = {
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
