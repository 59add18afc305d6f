/** The languages of the page, by their BCP 47 tags: English is bundled, the others are loaded on demand. */
export const LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'ru', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

const RIGHT_TO_LEFT: readonly Language[] = ['ar']

export const directionOf = (language: Language) => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr')

/** The language of a tag such as `pt-BR` or `zh-Hans-CN`, if it is one of ours. */
export function languageOf(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-')
  return LANGUAGES.find((language) => language === primary)
}

/** The native name of a language: "Deutsch", "العربية". */
export function nameOf(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
