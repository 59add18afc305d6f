import { z } from 'zod'
import { PAGE_LANGUAGES, type PageLanguage } from '../../contract/page-languages.ts'

/** A text by language; one without a language counts as English. */
export type LocalizedText = Partial<Record<PageLanguage, string>>

/** A text in front matter, or texts by language. */
export function localizedText(maxCharacters: number) {
  const text = z.string().trim().min(1).max(maxCharacters)
  return z.union([
    text.transform((only): LocalizedText => ({ en: only })),
    z.partialRecord(z.enum(PAGE_LANGUAGES), text).refine((texts) => Object.keys(texts).length > 0, 'needs a text'),
  ])
}

/** A text in a language, else in English, else in the first language that it has. */
export function textIn(text: LocalizedText, language: PageLanguage | null): string {
  return (language && text[language]) ?? text.en ?? Object.values(text)[0] ?? ''
}
