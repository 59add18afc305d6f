import type { KnowledgeOverview } from '../../knowledge/retrieval/overview.ts'
import { estimateTokens } from '../../models/tokens/estimate-tokens.ts'
import { assemblePrompt, type PromptFacts } from './prompt-parts.ts'

export interface SystemPromptOptions {
  instructions: string
  policy: PromptFacts['policy']
  /** Loads the overview of the agent's knowledge. */
  overview: () => Promise<KnowledgeOverview>
  now: () => Date
}

export interface AssembledPrompt {
  text: string
  /** Estimated tokens. */
  tokens: number
}

/** Maximum age of the overview. */
const REFRESH_MS = 60_000

/** The system prompt of one agent, assembled once per day, state of the knowledge and set of tools. */
export class SystemPrompt {
  readonly #options: SystemPromptOptions
  #knowledge: KnowledgeOverview | null = null
  #refreshing: Promise<void> | null = null
  #refreshedAt = Number.NEGATIVE_INFINITY
  #assembled: (AssembledPrompt & { key: string }) | null = null

  constructor(options: SystemPromptOptions) {
    this.#options = options
  }

  /** The files of the knowledge with their hashes, as of the last overview; `null` before the first. */
  get knowledgeFiles(): string | null {
    return this.#knowledge?.files ?? null
  }

  /** The prompt of a turn with these tools. Doesn't wait: the overview refreshes in the background. */
  withTools(tools: readonly string[]): AssembledPrompt {
    if (performance.now() - this.#refreshedAt > REFRESH_MS) this.#refreshing ??= this.#refresh()
    const today = this.#options.now().toISOString().slice(0, 10)
    const key = `${today} ${tools.join()}`
    if (this.#assembled?.key === key) return this.#assembled
    const { instructions, policy } = this.#options
    const text = assemblePrompt({ instructions, policy, tools, knowledge: this.#knowledge, today })
    this.#assembled = { key, text, tokens: estimateTokens(text) }
    return this.#assembled
  }

  /** Resolves when the overview is current. Never rejects: the prompt works without an overview. */
  async ready(): Promise<void> {
    await (this.#refreshing ??= this.#refresh())
  }

  async #refresh(): Promise<void> {
    this.#refreshedAt = performance.now()
    try {
      this.#knowledge = await this.#options.overview()
      this.#assembled = null
    } catch {
      // The search reports problems of the knowledge.
    } finally {
      this.#refreshing = null
    }
  }
}
