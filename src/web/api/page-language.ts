import { useLanguage } from '../../ui/language/language.ts'

/** The page's language, for fixed replies to prompts whose words don't tell theirs. */
export const pageLanguage = () => ({ 'Accept-Language': useLanguage.getState().language })
