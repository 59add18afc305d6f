import type { MessageSource, Translations } from '../language/language.ts'

const FIRST = import.meta.glob<Translations>('../language/messages/*.json', { query: '?first', import: 'default' })

/** The translations of the visitors' page. */
export const PAGE_MESSAGES: MessageSource = {
  first: async (language) => (await FIRST[`../language/messages/${language}.json`]?.()) ?? {},
  rest: async (language) => (await import('./lazy-messages.ts')).lazyMessagesOf(language),
}
