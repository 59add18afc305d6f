import { withoutPersonalData } from '../../personal-data/without-personal-data.ts'
import type { Agent } from '../answering/agents/agent.ts'
import type { Database } from '../store/engine/database.ts'
import { readRecentMessages } from '../store/sessions/recent-messages.ts'
import type { History } from './running-turn.ts'

/** Characters to read per token that the model reads: of text, and of stored JSON, most of which is tool results and sources. */
const TEXT_A_TOKEN = 6
const CHARACTERS_A_TOKEN = 100
const MAX_HISTORY_CHARACTERS = 512 * 1024

/** The messages themselves, or how to read them from the session; `continues` if its last message is an unfinished answer. */
export type HistorySource = History | Omit<History, 'messages'>

/** Reads the messages before a turn's answer, more of them than the model will be sent. */
export async function readTurnHistory(
  database: Database,
  { sessionId, agent, source: given }: { sessionId: string; agent: Pick<Agent, 'historyTokens' | 'personalData'>; source: HistorySource },
): Promise<History> {
  const { pageContext } = given
  const source = pageContext ? { ...given, pageContext: withoutPersonalData(pageContext, agent.personalData) } : given
  if ('messages' in source) return source
  const enoughText = agent.historyTokens * TEXT_A_TOKEN
  const maxCharacters = Math.min(MAX_HISTORY_CHARACTERS, agent.historyTokens * CHARACTERS_A_TOKEN)
  return { ...source, messages: await readRecentMessages(database, sessionId, { enoughText, maxCharacters }) }
}
