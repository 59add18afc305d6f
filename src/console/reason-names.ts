import { type MessageText, t } from '../ui/language/translate.ts'

/** The words of a code by which a prompt was turned away or an answer failed. */
export const reasonName = (code: string): string => t(code.replaceAll('_', ' ') as MessageText)
