import { type Agent, type ChatMessage, type ModelChoice, summaryTask } from '../../answering/agents/agent.ts'
import type { Database } from '../../store/engine/database.ts'
import { insertSummary } from '../../store/sessions/recent-messages.ts'
import type { BackgroundCompletions, PaidCompletion } from './background-completions.ts'
import type { ModelBudget } from '../model-budget.ts'
import { readHistory } from '../conversation-window.ts'

export interface SummariesOptions {
  database: Database
  backgroundCompletions: BackgroundCompletions
  now: () => number
}

/** An ended turn with the conversation that its model read and its answer. */
export interface EndedTurn {
  sessionId: string
  agent: Agent
  budget: ModelBudget
  read: { messages: readonly ChatMessage[]; summary?: string | null }
  answer: ChatMessage
}

/**
 * Summarises the older part of long chats after a turn, so the next prompt doesn't send all of it. Each part is summarised once, together
 * with the previous summary. Without a summary, the oldest part is left out.
 */
export class Summaries {
  readonly #options: SummariesOptions

  constructor(options: SummariesOptions) {
    this.#options = options
  }

  /** Queues a summary if the chat has become long. */
  consider({ sessionId, agent, budget, read, answer }: EndedTurn): void {
    if (!agent.backgroundCompletionOf(budget.model)) return
    if (!summaryTask([...read.messages, answer], read.summary ?? null, agent.historyTokens)) return
    const work = (paid: PaidCompletion) => this.#summarise({ sessionId, agent, model: budget.model }, paid)
    const { reservations } = budget
    this.#options.backgroundCompletions.begin({ name: `summary:${sessionId}`, label: 'Summarizing a chat', reservations, work })
  }

  /** Rereads the chat, which may have changed meanwhile. */
  async #summarise(
    { sessionId, agent, model }: { sessionId: string; agent: Agent; model: ModelChoice },
    paid: PaidCompletion,
  ): Promise<void> {
    const { database, now } = this.#options
    const write = agent.backgroundCompletionOf(model)
    const { messages, summary } = await readHistory(database, sessionId, agent)
    const task = summaryTask(messages, summary, agent.historyTokens)
    if (!write || !task) return
    const completion = await paid(write, task.request)
    if (!completion || completion.text === '') return
    await insertSummary(database, { sessionId, messageId: task.lastMessageId, text: completion.text }, now())
  }
}
