import type { Agent, DecidedCall } from '../agent/agent.ts'
import type { Database } from '../store/database.ts'
import { readRecentMessages } from '../store/recent-messages.ts'
import type { History } from './running-turn.ts'

/** Characters of stored JSON that are read for a token of text: tool results and sources take most of it. */
const CHARACTERS_A_TOKEN = 100
const MAX_HISTORY_CHARACTERS = 512 * 1024

/** What a turn's model is to read: said by who starts the turn, or read from the session, whose last message may be an answer to go on with. */
export type WantedHistory = History | { continues: boolean; decided?: DecidedCall[] | undefined }

/** Of a session so much is read for its next answer, beside its last turn; what the model is sent is less. */
export function readHistory(database: Database, sessionId: string, { historyTokens }: Pick<Agent, 'historyTokens'>) {
  return readRecentMessages(database, sessionId, Math.min(MAX_HISTORY_CHARACTERS, historyTokens * CHARACTERS_A_TOKEN))
}

/** What one turn reads of the conversation before it. */
export class TurnHistory {
  readonly #read: () => Promise<History>
  #seen: History | null = null

  /** `stored` resolves when what was written last can be read. */
  constructor(database: Database, sessionId: string, agent: Agent, wanted: WantedHistory, stored: Promise<unknown>) {
    this.#read = async () => {
      if ('messages' in wanted) return wanted
      await stored
      return { ...(await readHistory(database, sessionId, agent)), ...wanted }
    }
  }

  async read(): Promise<History> {
    this.#seen = await this.#read()
    return this.#seen
  }

  /** What was read; null before that, and when it could not be. */
  get seen(): History | null {
    return this.#seen
  }
}
