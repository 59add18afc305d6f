import type { LanguageModelUsage } from 'ai'
import { estimateTokens } from './estimate-tokens.ts'

export interface Tokens {
  inputTokens: number
  outputTokens: number
  /** Input that the provider read from its cache, and input that it stored there; both are part of `inputTokens`. */
  cacheReadTokens?: number
  cacheWriteTokens?: number
}

export type ReportedUsage = Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'> &
  Partial<Pick<LanguageModelUsage, 'inputTokenDetails'>>

/** Sums up the token usage of an answer's calls: as reported, or estimated where the provider reports none. */
export class TokenMeter {
  readonly #ended: Tokens = { inputTokens: 0, outputTokens: 0 }
  #step: { inputTokens: number; written: string } | null = null

  get used(): Tokens {
    const step = this.#step && { inputTokens: this.#step.inputTokens, outputTokens: estimateTokens(this.#step.written) }
    return {
      ...this.#ended,
      inputTokens: this.#ended.inputTokens + (step?.inputTokens ?? 0),
      outputTokens: this.#ended.outputTokens + (step?.outputTokens ?? 0),
    }
  }

  /** Starts a call with an estimated input. */
  begin(inputTokens: number): void {
    this.end({ inputTokens: undefined, outputTokens: undefined })
    this.#step = { inputTokens, written: '' }
  }

  /** Drops the current call, which the model rejected. */
  abandon(): void {
    this.#step = null
  }

  wrote(text: string): void {
    if (this.#step) this.#step.written += text
  }

  /** Ends the current call; estimates replace missing reports. */
  end({ inputTokens, outputTokens, inputTokenDetails }: ReportedUsage): void {
    const { inputTokens: estimatedInput = 0, written = '' } = this.#step ?? {}
    this.#ended.inputTokens += inputTokens ?? estimatedInput
    this.#ended.outputTokens += outputTokens ?? estimateTokens(written)
    for (const name of ['cacheReadTokens', 'cacheWriteTokens'] as const) {
      const tokens = inputTokenDetails?.[name] ?? 0
      if (tokens > 0) this.#ended[name] = (this.#ended[name] ?? 0) + tokens
    }
    this.#step = null
  }
}
