import type { Agent } from '../answering/agents/agent.ts'
import type { Database } from '../store/engine/database.ts'
import { readRecentMessages } from '../store/sessions/recent-messages.ts'
import type { History } from './running-turn.ts'

/** Characters of stored JSON to read per token of text. Tool results and sources take most of them. */
const CHARACTERS_A_TOKEN = 100
const MAX_HISTORY_CHARACTERS = 512 * 1024

/** The messages themselves, or how to read them from the session; `continues` if its last message is an unfinished answer. */
export type HistorySource = History | Omit<History, 'messages' | 'summary'>

/** Reads the messages before a turn's answer. */
export async function readTurnHistory(
  database: Database,
  { sessionId, agent, source }: { sessionId: string; agent: Pick<Agent, 'historyTokens'>; source: HistorySource },
): Promise<History> {
  if ('messages' in source) return source
  return { ...(await readHistory(database, sessionId, agent)), ...source }
}

/** Reads the session's recent messages for its next answer, more than the model will be sent. */
export function readHistory(database: Database, sessionId: string, { historyTokens }: Pick<Agent, 'historyTokens'>) {
  return readRecentMessages(database, sessionId, Math.min(MAX_HISTORY_CHARACTERS, historyTokens * CHARACTERS_A_TOKEN))
}
