import type { Translations } from './language.ts'
import type { Language } from './languages.ts'

const REST = import.meta.glob<Translations>('./messages/*.json', { query: '?rest', import: 'default' })

/** The messages of a language that the first visit doesn't need. */
export const lazyMessagesOf = async (language: Language): Promise<Translations> => (await REST[`./messages/${language}.json`]?.()) ?? {}
