import { PAGE_LANGUAGES, type PageLanguage } from '../../contract/page-languages.ts'

export const LANGUAGES = PAGE_LANGUAGES
export type Language = PageLanguage

const RIGHT_TO_LEFT: readonly Language[] = ['ar']

export const directionOf = (language: Language) => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr')

/** The language of a tag such as `pt-BR` or `zh-Hans-CN`, if it is one of ours. */
export function languageOf(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-')
  return LANGUAGES.find((language) => language === primary)
}

export function nameOf(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
