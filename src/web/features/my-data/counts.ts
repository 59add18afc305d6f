import type { DataReport } from '../../../contract/rights.ts'

type Stored = DataReport['stored']

const ONE: Record<string, string> = { chats: 'chat', messages: 'message', devices: 'device', answers: 'answer' }
const MAIN = new Set(['chats', 'messages', 'devices', 'answers'])

/** "1 chat", "12 chats". */
export function countIn(stored: Stored, kind: string): string {
  const count = numberOf(stored, kind)
  return `${count.toLocaleString('en')} ${count === 1 ? (ONE[kind] ?? kind) : kind}`
}

export const numberOf = (stored: Stored, kind: string): number => stored.find((one) => one.kind === kind)?.count ?? 0

/** What is counted besides chats, messages and devices, in one line; an answer is counted beside its message. */
export function otherCounts(stored: Stored): string {
  return stored
    .filter(({ kind }) => !MAIN.has(kind))
    .map(({ kind, count }) => `${kind} (${count.toLocaleString('en')})`)
    .join(', ')
}
