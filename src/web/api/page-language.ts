import { useLanguage } from '../../ui/language/language.ts'

export const pageLanguage = () => ({ 'Accept-Language': useLanguage.getState().language })
