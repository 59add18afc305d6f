import type { Kind } from '../../../contract/receipt-labels.ts'
import type { DataReport } from '../../../contract/rights.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { t } from '../../../ui/language/translate.ts'
import { labelOf } from './receipt-labels.ts'

type Stored = DataReport['stored']

const MAIN = new Set<string>(['chats', 'messages', 'devices', 'answers'])

/** "1 chat", "12 chats". */
export function countIn(stored: Stored, kind: 'chats' | 'messages' | 'devices'): string {
  const count = numberOf(stored, kind)
  switch (kind) {
    case 'chats':
      return t.plural(count, '{count} chat', '{count} chats')
    case 'messages':
      return t.plural(count, '{count} message', '{count} messages')
    case 'devices':
      return t.plural(count, '{count} device', '{count} devices')
  }
}

export const numberOf = (stored: Stored, kind: Kind): number => stored.find((one) => one.kind === kind)?.count ?? 0

/** Counts besides chats, messages and devices, in one line. Answers count separately from messages. */
export function otherCounts(stored: Stored): string {
  const counts = stored.filter(({ kind }) => !MAIN.has(kind)).map(({ kind, count }) => `${labelOf(kind) ?? kind} (${t.number(count)})`)
  return new Intl.ListFormat(useLanguage.getState().locale, { type: 'unit' }).format(counts)
}
