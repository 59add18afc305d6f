import type { Agent, DecidedCall } from '../agent/agent.ts'
import type { Database } from '../store/database.ts'
import { readRecentMessages } from '../store/recent-messages.ts'
import type { History } from './running-turn.ts'

/** Characters of stored JSON that are read for a token of text: tool results and sources take most of it. */
const CHARACTERS_A_TOKEN = 100
const MAX_HISTORY_CHARACTERS = 512 * 1024

/** The messages themselves, or how to read them from the session; `continues` if its last message is an unfinished answer. */
export type HistorySource = History | { continues: boolean; decided?: DecidedCall[] | undefined }

/** Reads the messages before a turn's answer. */
export async function readTurnHistory(database: Database, sessionId: string, agent: Agent, source: HistorySource): Promise<History> {
  if ('messages' in source) return source
  return { ...(await readHistory(database, sessionId, agent)), ...source }
}

/** Of a session so much is read for its next answer, beside its last turn; what the model is sent is less. */
export function readHistory(database: Database, sessionId: string, { historyTokens }: Pick<Agent, 'historyTokens'>) {
  return readRecentMessages(database, sessionId, Math.min(MAX_HISTORY_CHARACTERS, historyTokens * CHARACTERS_A_TOKEN))
}
