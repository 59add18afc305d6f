import type { Translations } from './language.ts'
import type { Language } from './languages.ts'

const REST = import.meta.glob<Translations>('./words/*.json', { query: '?rest', import: 'default' })

/** What a language says after the first visit. */
export const restOf = async (language: Language): Promise<Translations> => (await REST[`./words/${language}.json`]?.()) ?? {}
