import type { KnowledgeOverview } from '../../knowledge/retrieval/overview.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { assemblePrompt } from './prompt-parts.ts'

export interface SystemPromptOptions {
  instructions: string
  /** What the agent's knowledge holds. */
  overview: () => Promise<KnowledgeOverview>
  now: () => Date
}

export interface AssembledPrompt {
  text: string
  /** Estimated. */
  tokens: number
}

/** How old what is known of the knowledge may be. */
const REFRESH_MS = 60_000

/** The system prompt of one agent. It is assembled once for each day, state of the knowledge and set of tools. */
export class SystemPrompt {
  readonly #options: SystemPromptOptions
  #knowledge: KnowledgeOverview | null = null
  #refreshing: Promise<void> | null = null
  #refreshedAt = Number.NEGATIVE_INFINITY
  #assembled: (AssembledPrompt & { key: string }) | null = null

  constructor(options: SystemPromptOptions) {
    this.#options = options
  }

  /** What a turn with these tools is sent. Never waits: the overview of the knowledge is refreshed beside it. */
  withTools(tools: readonly string[]): AssembledPrompt {
    if (performance.now() - this.#refreshedAt > REFRESH_MS) this.#refreshing ??= this.#refresh()
    const today = this.#options.now().toISOString().slice(0, 10)
    const key = `${today} ${tools.join()}`
    if (this.#assembled?.key === key) return this.#assembled
    const text = assemblePrompt({ instructions: this.#options.instructions, tools, knowledge: this.#knowledge, today })
    this.#assembled = { key, text, tokens: estimateTokens(text) }
    return this.#assembled
  }

  /** Resolves when what is known of the knowledge is up to date. Never rejects: without an overview the prompt does without it. */
  async ready(): Promise<void> {
    await (this.#refreshing ??= this.#refresh())
  }

  async #refresh(): Promise<void> {
    this.#refreshedAt = performance.now()
    try {
      this.#knowledge = await this.#options.overview()
      this.#assembled = null
    } catch {
      // The search reports what is wrong with the knowledge.
    } finally {
      this.#refreshing = null
    }
  }
}
