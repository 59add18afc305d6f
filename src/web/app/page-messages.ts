import type { MessageSource, Translations } from '../../ui/language/language.ts'

const MESSAGES = import.meta.glob<Translations>('../../ui/language/messages/*.json', { import: 'default' })

export const PAGE_MESSAGES: MessageSource = async (language) => (await MESSAGES[`../../ui/language/messages/${language}.json`]?.()) ?? {}
