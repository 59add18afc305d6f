import type { MessageSource, Translations } from '../ui/language/language.ts'

const MESSAGES = import.meta.glob<Translations>('./messages/*.json', { import: 'default' })

/** The translations of the console, one file for each language. */
export const CONSOLE_MESSAGES: MessageSource = async (language) => (await MESSAGES[`./messages/${language}.json`]?.()) ?? {}
