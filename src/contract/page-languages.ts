/** The languages of the page, as primary tags of BCP 47. English is built in; the page loads each other on demand. */
export const PAGE_LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'ru', 'zh'] as const
export type PageLanguage = (typeof PAGE_LANGUAGES)[number]
