import type { Translations } from '../language/language.ts'
import type { Language } from '../language/languages.ts'

const REST = import.meta.glob<Translations>('../language/messages/*.json', { query: '?rest', import: 'default' })

/** The messages of a language that the first visit doesn't need. */
export const lazyMessagesOf = async (language: Language): Promise<Translations> =>
  (await REST[`../language/messages/${language}.json`]?.()) ?? {}
