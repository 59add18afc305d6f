import type { LimitInForce } from '../contract/staff/limits.ts'
import { type MessageText, t } from '../ui/language/translate.ts'

/** Label of a limit, which the catalogs have. */
export const limitName = ({ description }: Pick<LimitInForce, 'description'>): string => t(firstSentenceOf(description) as MessageText)

export function firstSentenceOf(description: string): string {
  return (description.split(/(?<=\.) /, 1)[0] ?? description).replace(/\.$/, '')
}
