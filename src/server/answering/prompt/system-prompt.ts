import { estimateTokens } from '../../models/tokens/estimate-tokens.ts'
import { assemblePrompt, type PromptFacts } from './prompt-parts.ts'

export type SystemPromptOptions = Omit<PromptFacts, 'tools' | 'today'> & { now: () => Date }

export interface AssembledPrompt {
  text: string
  /** Estimated tokens. */
  tokens: number
}

/** The system prompt of one agent, assembled once per day and set of tools. */
export class SystemPrompt {
  readonly #options: SystemPromptOptions
  #assembled: (AssembledPrompt & { key: string }) | null = null

  constructor(options: SystemPromptOptions) {
    this.#options = options
  }

  withTools(tools: readonly string[]): AssembledPrompt {
    const { now, ...facts } = this.#options
    const today = now().toISOString().slice(0, 10)
    const key = `${today} ${tools.join()}`
    if (this.#assembled?.key === key) return this.#assembled
    const text = assemblePrompt({ ...facts, tools, today })
    this.#assembled = { key, text, tokens: estimateTokens(text) }
    return this.#assembled
  }
}
