import type { Translations } from './language.ts'
import type { Language } from './languages.ts'

const REST = import.meta.glob<Translations>('./messages/*.json', { query: '?rest', import: 'default' })

/** What a language says after the first visit. */
export const lazyMessagesOf = async (language: Language): Promise<Translations> => (await REST[`./messages/${language}.json`]?.()) ?? {}
