import type { LanguageModelUsage } from 'ai'
import { estimateTokens } from './estimate-tokens.ts'

/** Tokens that a model reads and writes. */
export interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** Adds up what the steps of one answer use: what the provider reports for each, or an estimate where it reports nothing. */
export class TokenMeter {
  readonly #ended: Tokens = { inputTokens: 0, outputTokens: 0 }
  #step: { inputTokens: number; written: string } | null = null

  get used(): Tokens {
    const step = this.#step && { inputTokens: this.#step.inputTokens, outputTokens: estimateTokens(this.#step.written) }
    return {
      inputTokens: this.#ended.inputTokens + (step?.inputTokens ?? 0),
      outputTokens: this.#ended.outputTokens + (step?.outputTokens ?? 0),
    }
  }

  /** A call begins that reads about so many tokens. */
  begin(inputTokens: number): void {
    this.end({ inputTokens: undefined, outputTokens: undefined })
    this.#step = { inputTokens, written: '' }
  }

  /** Forgets the current call, which the model has refused. */
  abandon(): void {
    this.#step = null
  }

  /** The model wrote this in the current call. */
  wrote(text: string): void {
    if (this.#step) this.#step.written += text
  }

  /** The current call is over; the estimate stands for what the provider did not report. */
  end({ inputTokens, outputTokens }: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>): void {
    const { inputTokens: estimatedInput = 0, written = '' } = this.#step ?? {}
    this.#ended.inputTokens += inputTokens ?? estimatedInput
    this.#ended.outputTokens += outputTokens ?? estimateTokens(written)
    this.#step = null
  }
}
